#include "report/verdict/report.h"

#include "report/verdict/formats.h"
#include <string.h>

static const struct {
    const char *name;
    enum vl_status (*write)(FILE *stream, const struct vl_verdict *verdicts, size_t count,
                            int list);
} formats[VL_REPORT_FORMATS] = {
    [VL_REPORT_TEXT] = {"text", vl_report_write_text},
    [VL_REPORT_JSON] = {"json", vl_report_write_json},
    [VL_REPORT_JUNIT] = {"junit", vl_report_write_junit},
    [VL_REPORT_GRADESCOPE] = {"gradescope", vl_report_write_gradescope},
};

const char *vl_report_format_name(enum vl_report_format format)
{
    return formats[format].name;
}

enum vl_status vl_report_format_find(enum vl_report_format *format, const char *name)
{
    for (int i = 0; i < VL_REPORT_FORMATS; i++) {
        if (strcmp(name, formats[i].name) == 0) {
            *format = (enum vl_report_format)i;
            return VL_OK;
        }
    }
    return VL_EINVAL;
}

enum vl_status vl_report_write(FILE *stream, const struct vl_verdict *verdicts, size_t count,
                               int list, enum vl_report_format format)
{
    enum vl_status status = formats[format].write(stream, verdicts, count, list);
    if (status == VL_OK && (fflush(stream) != 0 || ferror(stream)))
        status = VL_EIO;
    return status;
}
