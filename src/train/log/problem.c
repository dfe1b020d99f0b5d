#include "train/log/problem.h"

#include "base/file.h"
#include "base/text.h"
#include "train/log/shown.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

enum vl_status vl_problem_set(struct vl_problem *problem, enum vl_status status, const char *code,
                              const char *format, ...)
{
    char raw[sizeof problem->message];
    va_list arguments;
    problem->status = status;
    problem->detail = NULL;
    snprintf(problem->code, sizeof problem->code, "%s", code);
    va_start(arguments, format);
    vsnprintf(raw, sizeof raw, format, arguments);
    va_end(arguments);
    /* A path may hold any bytes, and the end may be cut inside a character. */
    vl_shown_text(problem->message, sizeof problem->message, raw);
    return status;
}

enum vl_status vl_problem_reading(struct vl_problem *problem, const char *path)
{
    if (errno == ENOENT || errno == ENOTDIR)
        return vl_problem_set(problem, VL_EIO, "file_missing",
                              _("There is no file %s: check its name and folder."), path);
    return vl_problem_set(problem, VL_EIO, "file_unreadable",
                          _("The file %s cannot be read: check its permissions."), path);
}

enum vl_status vl_problem_writing(struct vl_problem *problem, const char *path)
{
    if (vl_file_lacks_space(errno))
        return vl_problem_set(problem, VL_EIO, "disk_full",
                              _("The file %s cannot be written: the disk is full. What was there "
                                "before is untouched."),
                              path);
    if (errno == EFBIG)
        return vl_problem_set(problem, VL_EIO, "file_too_large",
                              _("The file %s cannot be written: it has reached the size that a "
                                "file may have here. Raise the limit with `ulimit -f`. What was "
                                "there before is untouched."),
                              path);
    return vl_problem_set(problem, VL_EIO, "file_unwritable",
                          _("The file %s cannot be written: check its folder and permissions. "
                            "What was there before is untouched."),
                          path);
}

void vl_problem_saved(struct vl_problem *problem, const char *path, uint64_t step)
{
    const struct vl_problem first = *problem;
    vl_problem_set(problem, first.status, first.code,
                   /* TRANSLATORS: a sentence about a file, a step, the file of a checkpoint */
                   _("%1$s The run ended after step %2$llu and saved what it has learned: once the "
                     "log can be written, go on with `--resume %3$s`."),
                   first.message, (unsigned long long)step, path);
    problem->detail = first.detail;
}

enum vl_status vl_problem_status(struct vl_problem *problem, enum vl_status status)
{
    return vl_problem_set(problem, status, vl_status_code(status), "%s", vl_status_text(status));
}

void vl_problem_silence(struct vl_problem *problem)
{
    problem->everywhere = 1;
    problem->message[0] = '\0';
}

int vl_problem_exit(const struct vl_problem *problem)
{
    switch (problem->status) {
    case VL_OK:
        return 0;
    case VL_EINVAL:
    case VL_EIO:
    case VL_EFORMAT:
    case VL_ESHAPE:
        return 2;
    case VL_ENOMEM:
    case VL_ELACK:
        return 3;
    default:
        return 4;
    }
}
