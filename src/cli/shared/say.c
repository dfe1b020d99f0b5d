#include "cli/shared/say.h"

#include "report/draw/terminal.h"
#include <errno.h>
#include <stdarg.h>

enum vl_exit vl_say(enum vl_exit status, const char *format, ...)
{
    struct vl_terminal terminal;
    int why = errno; /* a sentence may say it, as %m */
    va_list values;
    fflush(stdout);
    vl_terminal_open(&terminal, stderr);
    if (!terminal.live)
        terminal.columns = 1 << 20; /* one line: whoever searches a log finds the whole sentence */
    errno = why;
    va_start(values, format);
    vl_terminal_sentence_with(&terminal, VL_STYLE_PLAIN, format, values);
    va_end(values);
    return status;
}

enum vl_exit vl_say_status(enum vl_status status)
{
    return status == VL_OK ? VL_EXIT_OK : vl_say(VL_EXIT_LACK, "%s", vl_status_text(status));
}
