#include "vialata/status.h"

#include "base/text.h"

#include <stddef.h>

const char *vl_status_text(enum vl_status status)
{
    switch (status) {
    case VL_OK:
        return _("All went well.");
    case VL_TODO:
        return _("This function is still to be written.");
    case VL_EMISSING:
        return _("The submission does not contain this function.");
    case VL_EINVAL:
        return _("An argument lies outside what the function accepts.");
    case VL_ENOMEM:
        return _("There is not enough memory: choose a smaller model or batch.");
    case VL_EIO:
        return _("A file could not be read or written.");
    case VL_EFORMAT:
        return _("The file is damaged or of another kind.");
    case VL_ESHAPE:
        return _("These sizes do not fit together.");
    case VL_ELACK:
        return _("This machine lacks something: `vialata doctor` says what.");
    case VL_EINTERNAL:
        break;
    }
    return _("This is a bug in vialata itself: please report it with the command you used.");
}

const char *vl_status_code(enum vl_status status)
{
    switch (status) {
    case VL_OK:
        return "ok";
    case VL_TODO:
        return "todo";
    case VL_EMISSING:
        return "missing";
    case VL_EINVAL:
        return "invalid_argument";
    case VL_ENOMEM:
        return "no_memory";
    case VL_EIO:
        return "input_output";
    case VL_EFORMAT:
        return "bad_format";
    case VL_ESHAPE:
        return "bad_shape";
    case VL_ELACK:
        return "machine_lacks";
    case VL_EINTERNAL:
        break;
    }
    return "internal";
}

const char *vl_status_name(enum vl_status status)
{
    static const char *const names[] = {[VL_OK] = "VL_OK",
                                        [VL_TODO] = "VL_TODO",
                                        [VL_EMISSING] = "VL_EMISSING",
                                        [VL_EINVAL] = "VL_EINVAL",
                                        [VL_ENOMEM] = "VL_ENOMEM",
                                        [VL_EIO] = "VL_EIO",
                                        [VL_EFORMAT] = "VL_EFORMAT",
                                        [VL_ESHAPE] = "VL_ESHAPE",
                                        [VL_ELACK] = "VL_ELACK",
                                        [VL_EINTERNAL] = "VL_EINTERNAL"};
    return (size_t)status < sizeof names / sizeof *names ? names[status] : names[VL_EINTERNAL];
}
