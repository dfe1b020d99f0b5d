/* Is it what the student means to hand in? Looked at before the archive is made. */
#include "cli/class/handin.h"

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/shared/say.h"
#include "cli/workspace/given.h"
#include "cli/workspace/workspace.h"
#include "grade/build/compile_check.h"
#include "grade/build/lab_files.h"
#include "grade/build/sources.h"
#include "sandbox/interrupt.h"
#include "sandbox/machine.h"
#include "sandbox/scratch/scratch.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists of names ---- */

struct names {
    char *text; /* "step.c, budget.c" */
    size_t count;
    bool failed;
};

static void add(struct names *names, const char *name)
{
    char *before = names->text;
    names->text =
        vl_text_format("%s%s%s", before != NULL ? before : "", before != NULL ? ", " : "", name);
    names->failed |= names->text == NULL;
    names->count++;
    free(before);
}

/* ---- the copy ---- */

/* What the student writes, rather than what is given ready. */
static bool is_written(const struct vl_lab *lab, const char *file)
{
    for (size_t i = 0; i < lab->function_count; i++)
        if (lab->functions[i].file != NULL && lab->functions[i].points > 0 &&
            strcmp(lab->functions[i].file, file) == 0)
            return true;
    return false;
}

static enum vl_status copy_file(struct names *refused, struct names *missing,
                                const struct vl_handin *handin, const char *name)
{
    char *from = vl_path_join(handin->own, name), *to = vl_path_join(handin->copies, name);
    enum vl_status status =
        from != NULL && to != NULL ? vl_scratch_copy(to, from, VL_SOURCE_BYTES) : VL_ENOMEM;
    if (status == VL_EIO && errno == ENOENT) {
        if (is_written(handin->lab, name))
            add(missing, name);
        status = VL_OK;
    } else if (status == VL_EFORMAT || (status == VL_EIO && errno == EACCES)) {
        add(refused, name);
        status = VL_OK;
    }
    free(from);
    free(to);
    return status;
}

static enum vl_exit refuse_files(const struct names *refused)
{
    return vl_say(VL_EXIT_USAGE,
                  _("Nothing was handed in, because grading would not take these files: %s. Each "
                    "must be a readable regular file of at most 1 MiB, not a link."),
                  refused->text);
}

static enum vl_exit tell_missing(const struct vl_handin *handin, const struct names *missing)
{
    if (handin->anyway)
        return vl_say(VL_EXIT_OK, _("These files of the lab are missing: %s."), missing->text);
    return vl_say(VL_EXIT_USAGE,
                  _("Nothing was handed in, because these files of the lab are missing: %1$s. "
                    "`vialata start %2$02d` gives them again; `--anyway` hands in what is there."),
                  missing->text, handin->lab->number);
}

static enum vl_exit copy_all(const struct vl_handin *handin)
{
    struct names refused = {0}, missing = {0};
    enum vl_status status = VL_OK;
    for (const char *const *file = handin->lab->files; *file != NULL && status == VL_OK; file++)
        status = copy_file(&refused, &missing, handin, *file);
    (void)vl_headers_copy(handin->copies, handin->own); /* the compiler says which is missing */
    enum vl_exit result = VL_EXIT_OK;
    if (status == VL_OK && (refused.failed || missing.failed))
        status = VL_ENOMEM;
    if (status == VL_EIO)
        result = vl_say(VL_EXIT_LACK, _("The files of the lab could not be copied to %s (%m)."),
                        handin->copies);
    else if (status != VL_OK)
        result = vl_say_status(status);
    else if (refused.count > 0)
        result = refuse_files(&refused);
    else if (missing.count > 0)
        result = tell_missing(handin, &missing);
    free(refused.text);
    free(missing.text);
    return result;
}

/* ---- what is in it ---- */

/* As the course gives it today, or as it did when the student got it. */
static bool is_untouched(const struct vl_handin *handin, const char *name)
{
    char *path = vl_path_join(handin->copies, name), *bytes = NULL;
    char *student = vl_workspace_student();
    size_t n = 0;
    bool same = path != NULL && vl_given_today(&bytes, &n, handin->lab, name, student) == VL_OK &&
                vl_file_holds(path, bytes, n);
    free(bytes);
    bytes = NULL;
    if (!same && path != NULL &&
        vl_given_read(&bytes, &n, handin->workspace, handin->lab, name) == VL_OK)
        same = vl_file_holds(path, bytes, n);
    free(bytes);
    free(student);
    free(path);
    return same;
}

static enum vl_exit look_for_work(const struct vl_handin *handin)
{
    struct names untouched = {0};
    size_t written = 0;
    for (const char *const *file = handin->lab->files; *file != NULL; file++) {
        if (!is_written(handin->lab, *file))
            continue;
        written++;
        if (is_untouched(handin, *file))
            add(&untouched, *file);
    }
    enum vl_exit result = VL_EXIT_OK;
    if (untouched.failed)
        result = vl_say_status(VL_ENOMEM);
    else if (untouched.count == written && !handin->anyway)
        result = vl_say(VL_EXIT_USAGE,
                        _("Nothing was handed in, because all of lab %02d is still as it was "
                          "given. `--anyway` hands it in all the same."),
                        handin->lab->number);
    else if (untouched.count > 0)
        result = vl_say(VL_EXIT_OK, _("Still as they were given: %s."), untouched.text);
    free(untouched.text);
    return result;
}

/* A warning only: what compiles earns its points all the same. */
static enum vl_exit try_compiler(const struct vl_handin *handin)
{
    struct vl_compile_check check = {0};
    char *scratch = NULL;
    if (vl_machine_lacks() != NULL)
        return vl_say(VL_EXIT_OK, _("Whether it compiles was not checked, because this machine "
                                    "lacks what grading needs: `vialata doctor` says what."));
    enum vl_status status = vl_scratch_folder(&scratch, handin->scratch, "compiled");
    if (status == VL_OK)
        status = vl_compile_check(&check, handin->lab, handin->copies, scratch);
    if (!vl_interrupt_seen() && status != VL_OK)
        vl_say(VL_EXIT_OK, _("Whether it compiles could not be checked: %s"),
               vl_status_text(status));
    else if (!vl_interrupt_seen() && check.broken != NULL) {
        if (check.words != NULL)
            vl_say(VL_EXIT_OK, "%s", check.words);
        vl_say(VL_EXIT_OK,
               _("Look again before you upload it: these files do not compile, or grading leaves "
                 "them out, so they earn nothing: %s."),
               check.broken);
    }
    vl_compile_check_free(&check);
    free(scratch);
    return vl_interrupt_seen() ? VL_EXIT_LACK : VL_EXIT_OK;
}

enum vl_exit vl_handin_look(struct vl_handin *handin)
{
    enum vl_exit result = copy_all(handin);
    if (result == VL_EXIT_OK &&
        vl_manifest_read(&handin->manifest, handin->lab, handin->copies) != VL_OK)
        result = vl_say_status(VL_ENOMEM);
    if (result == VL_EXIT_OK)
        result = look_for_work(handin);
    return result == VL_EXIT_OK ? try_compiler(handin) : result;
}
