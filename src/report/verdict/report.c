#include "report/verdict/report.h"

#include "base/file.h"
#include "base/text.h"
#include "report/verdict/formats.h"
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *file;
    vl_report_writer *write;
} formats[VL_REPORT_FORMATS] = {
    [VL_REPORT_TEXT] = {"text", "verdict.txt", vl_report_write_text},
    [VL_REPORT_JSON] = {"json", "verdict.json", vl_report_write_json},
    [VL_REPORT_JUNIT] = {"junit", "junit.xml", vl_report_write_junit},
    [VL_REPORT_CODEGRADE] = {"codegrade", "junit.xml", vl_report_write_codegrade},
    [VL_REPORT_GRADESCOPE] = {"gradescope", "results.json", vl_report_write_gradescope},
    [VL_REPORT_AUTOLAB] = {"autolab", "autoresult.txt", vl_report_write_autolab},
    [VL_REPORT_PRAIRIELEARN] = {"prairielearn", "results.json", vl_report_write_prairielearn},
    [VL_REPORT_GITHUB_CLASSROOM] = {"github-classroom", "result.json",
                                    vl_report_write_github_classroom},
    [VL_REPORT_EXERCISM_2] = {"exercism-v2", "results.json", vl_report_write_exercism_2},
    [VL_REPORT_EXERCISM_3] = {"exercism-v3", "results.json", vl_report_write_exercism_3},
};

const char *vl_report_format_name(enum vl_report_format format)
{
    return formats[format].name;
}

const char *vl_report_format_file(enum vl_report_format format)
{
    return formats[format].file;
}

char *vl_report_format_names(void)
{
    char *names = vl_text_format("`%s`", formats[0].name);
    for (int i = 1; i < VL_REPORT_FORMATS && names != NULL; i++) {
        char *before = names;
        names = vl_text_format("%s, `%s`", before, formats[i].name);
        free(before);
    }
    return names;
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

enum vl_status vl_report_save(const char *path, const struct vl_verdict *verdicts, size_t count,
                              int list, enum vl_report_format format)
{
    struct vl_file_new file;
    enum vl_status status = vl_file_begin(&file, path);
    if (status != VL_OK)
        return status;
    return vl_file_end(&file, vl_report_write(file.stream, verdicts, count, list, format));
}
