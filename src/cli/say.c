#include "cli/say.h"

#include "report/terminal.h"
#include <stdarg.h>
#include <stdlib.h>

enum vl_exit vl_say(enum vl_exit status, const char *format, ...)
{
    struct vl_terminal terminal;
    char *sentence = NULL;
    va_list values;
    va_start(values, format);
    int made = vasprintf(&sentence, format, values);
    va_end(values);
    if (made < 0)
        return status;
    fflush(stdout);
    vl_terminal_open(&terminal, stderr);
    if (terminal.live)
        vl_terminal_paragraph(&terminal, VL_STYLE_PLAIN, 0, sentence);
    else { /* one line: whoever searches a log finds the whole sentence */
        terminal.columns = 1 << 20;
        vl_terminal_paragraph(&terminal, VL_STYLE_PLAIN, 0, sentence);
    }
    free(sentence);
    return status;
}

enum vl_exit vl_say_status(enum vl_status status)
{
    return status == VL_OK ? VL_EXIT_OK : vl_say(VL_EXIT_LACK, "%s", vl_status_text(status));
}
