#include "cli/shared/formats.h"

#include "base/text.h"
#include "cli/shared/say.h"
#include <stdlib.h>

enum vl_exit vl_format_named(enum vl_report_format *format, const char *word)
{
    if (vl_report_format_find(format, word) == VL_OK)
        return VL_EXIT_OK;
    char *names = vl_report_format_names();
    if (names == NULL)
        return vl_say_status(VL_ENOMEM);
    vl_say(VL_EXIT_USAGE, _("There is no format `%1$s`: choose one of %2$s."), word, names);
    free(names);
    return VL_EXIT_USAGE;
}
