#include "grade/run/grade.h"

#include "base/file.h"
#include "base/path.h"
#include "base/place.h"
#include "base/text.h"
#include "base/utc.h"
#include "grade/build/lab_files.h"
#include "grade/catalogue/shapes.h"
#include "grade/diagnose/mistaken.h"
#include "grade/run/grading.h"
#include "sandbox/interrupt.h"
#include "sandbox/isolation.h"
#include "sandbox/load.h"
#include "sandbox/machine.h"
#include "sandbox/process.h"
#include "sandbox/scratch/scratch.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <version.h>

#define END_SECONDS 1.0  /* at most ... */
#define END_SHARE   0.05 /* ... of the budget */

/* Why there is no verdict. Returns status, so that it can be returned at once. */
__attribute__((format(printf, 3, 4))) static enum vl_status
give_up(struct vl_verdict *verdict, enum vl_status status, const char *sentence, ...)
{
    va_list arguments;
    va_start(arguments, sentence);
    free(verdict->message);
    verdict->message = vl_text_vformat(sentence, arguments);
    va_end(arguments);
    verdict->status = VL_VERDICT_ERROR;
    return status;
}

static enum vl_status describe(struct vl_verdict *verdict, const struct vl_grade_request *request)
{
    *verdict = (struct vl_verdict){.version = VL_VERSION,
                                   .commit = VL_COMMIT,
                                   .machine = vl_machine_text(),
                                   .flags = vl_toolchain_flags(request->asan),
                                   .lab = request->lab->number,
                                   .slug = request->lab->slug,
                                   .is_workspace = request->is_workspace,
                                   .asan = request->asan,
                                   .is_mistake = request->mistake != NULL,
                                   .seed = request->origin.seed,
                                   .secret = request->origin.secret,
                                   .language = vl_text_language(),
                                   .bytes_compared = -1};
    const char *student = request->origin.student;
    if (student != NULL && request->shown_as != NULL)
        student = request->shown_as;
    verdict->student = student != NULL ? strdup(student) : NULL;
    const char *name = request->reference         ? "reference"
                       : request->mistake != NULL ? request->mistake
                                                  : request->submission;
    verdict->submission = name != NULL ? strdup(name) : vl_place_path("labs", request->lab->folder);
    verdict->graded_at = vl_time_text(time(NULL));
    if (verdict->machine == NULL || verdict->graded_at == NULL || verdict->flags == NULL ||
        verdict->submission == NULL)
        return give_up(verdict, VL_ENOMEM, "%s", vl_status_text(VL_ENOMEM));
    return VL_OK;
}

/* Files of one lab, as a list for a sentence. */
static char *file_names(const struct vl_lab *lab)
{
    char *all = strdup("");
    for (const char *const *file = lab->files; all != NULL && *file != NULL; file++) {
        char *before = all;
        all = vl_text_format("%s%s%s", before, before[0] != '\0' ? ", " : "", *file);
        free(before);
    }
    return all;
}

static enum vl_status explain(struct vl_verdict *verdict, enum vl_status status,
                              const char *scratch)
{
    if (status == VL_EIO)
        return give_up(verdict, VL_ELACK,
                       vl_file_lacks_space(errno)
                           ? _("Files could not be written while grading (%1$s: %2$s). Free some "
                               "space, or set TMPDIR to a folder that has it.")
                           : _("Files could not be written while grading (%1$s: %2$s). Check that "
                               "folder, or set TMPDIR to another one."),
                       scratch, strerror(errno));
    if (status == VL_ELACK)
        return give_up(verdict, VL_ELACK,
                       _("A program that grading needs could not be started. `vialata doctor` says "
                         "what is missing."));
    return status != VL_OK ? give_up(verdict, status, "%s", vl_status_text(status)) : VL_OK;
}

static enum vl_status unpack(char **path, const struct vl_grading *grading)
{
    const struct vl_grade_request *request = grading->request;
    char *folder = vl_path_join(grading->scratch, "unpacked"), *problem = NULL;
    enum vl_status status =
        folder != NULL ? request->unpack(path, &problem, folder, request->lab, request->submission)
                       : VL_ENOMEM;
    if (status == VL_EFORMAT)
        status = give_up(grading->verdict, VL_EINVAL, _("%1$s cannot be graded. %2$s"),
                         request->submission, problem != NULL ? problem : "");
    free(problem);
    free(folder);
    return status;
}

/* The folder or file with what is graded, or NULL for a reference that came compiled; the caller
 * frees it. */
static enum vl_status find_submission(char **path, const struct vl_grading *grading)
{
    const struct vl_grade_request *request = grading->request;
    char *problem = NULL;
    enum vl_status status = VL_OK;
    const char *student = request->origin.student;
    bool rewritten = request->mistake != NULL || (request->reference && student != NULL);
    *path = NULL;
    if (request->reference && !rewritten && vl_reference_is_compiled())
        return VL_OK; /* vl_build_make has its objects */
    if (rewritten)
        *path = vl_path_join(grading->scratch, "rewritten");
    else if (request->reference)
        *path = vl_place_path("solutions", request->lab->folder);
    else if (request->unpack != NULL)
        return unpack(path, grading);
    else
        *path = strdup(grading->verdict->submission);
    if (*path == NULL)
        return VL_ENOMEM;
    if (rewritten)
        status = vl_mistaken_write(*path, request->lab, request->mistake, student, &problem);
    if (problem != NULL)
        give_up(grading->verdict, status, "%s", problem);
    free(problem);
    return status;
}

/* A predict.c that cannot be read has no shapes of its own. */
static void look_at_shapes(struct vl_grading *grading)
{
    const struct vl_grade_request *request = grading->request;
    char *path = vl_path_join(grading->build.folder, VL_PREDICTION), *text = NULL;
    size_t n;
    if (path != NULL && vl_file_read(&text, &n, path, VL_SOURCE_BYTES) == VL_OK)
        grading->foreign_shapes = !vl_shapes_agree(text, request->lab, request->origin.student);
    free(text);
    free(path);
}

static enum vl_status build(struct vl_grading *grading)
{
    const struct vl_grade_request *request = grading->request;
    struct vl_verdict *verdict = grading->verdict;
    char *path;
    enum vl_status status = find_submission(&path, grading);
    if (status == VL_OK)
        status = vl_build_make(&grading->build, request->lab, path, grading->scratch,
                               &grading->sandbox, request->asan);
    if (status == VL_EINVAL && verdict->message == NULL) {
        char *names = file_names(request->lab);
        give_up(verdict, status,
                _("%1$s holds none of this lab's files. Give a .c file, or a folder with %2$s."),
                path, names != NULL ? names : "");
        free(names);
    } else if (status == VL_OK) {
        look_at_shapes(grading);
        verdict->submission_hash = strdup(grading->build.hash);
        verdict->compiler = grading->build.words != NULL ? strdup(grading->build.words) : NULL;
        if (request->progress != NULL && !vl_interrupt_seen())
            request->progress(request->context, verdict, NULL);
    }
    free(path);
    return status;
}

static enum vl_status open_sandboxes(struct vl_grading *grading)
{
    char *mine = vl_path_join(grading->scratch, "run");
    char *ahead = vl_path_join(grading->scratch, "next_run");
    char *other = vl_path_join(grading->scratch, "reference_run");
    enum vl_status status = mine && ahead && other ? VL_OK : VL_ENOMEM;
    if (status == VL_OK)
        status = vl_sandbox_open(&grading->sandbox, mine);
    if (status == VL_OK)
        status = vl_sandbox_open(&grading->ahead, ahead);
    if (status == VL_OK)
        status = vl_sandbox_open(&grading->other, other);
    free(mine);
    free(ahead);
    free(other);
    return status;
}

/* A submission that somebody else may have written: neither the course's own nor the workspace. */
static bool is_from_elsewhere(const struct vl_grade_request *request)
{
    return !request->reference && request->mistake == NULL && !request->is_workspace;
}

/* Cases of several ranks, each of which gets a wall of its own. */
static bool has_ranks(const struct vl_grading *grading)
{
    for (size_t i = 0; i < grading->lab->case_count; i++) {
        const struct vl_case *c = &grading->lab->cases[i];
        if (c->ranks > 1 && vl_grading_wants(grading, c->id, c->function))
            return true;
    }
    return false;
}

static enum vl_status isolate(struct vl_grading *grading)
{
    const struct vl_grade_request *request = grading->request;
    struct vl_sandbox *sandbox = &grading->sandbox;
    enum vl_status status = vl_isolation_begin(&grading->trial, sandbox, has_ranks(grading));
    if (status != VL_OK)
        return status;
    grading->other.walled = sandbox->walled; /* both sides of a timing run alike */
    grading->verdict->isolation = sandbox->walled  ? VL_ISOLATION_STRONG
                                  : sandbox->apart ? VL_ISOLATION_USER
                                                   : VL_ISOLATION_LIMITS;
    if (request->require_wall && !sandbox->walled)
        return give_up(grading->verdict, VL_ELACK,
                       _("Nothing was graded: `--require-sandbox` was given, and bubblewrap does "
                         "not work on this machine. `vialata doctor` says what it needs."));
    if (grading->verdict->isolation == VL_ISOLATION_LIMITS && is_from_elsewhere(request) &&
        !request->trust)
        return give_up(grading->verdict, VL_ELACK,
                       _("Nothing was graded: bubblewrap does not work on this machine, so this "
                         "submission would run under your name and could change your files. "
                         "`vialata doctor` says what bubblewrap needs. If you trust the "
                         "submission, add `--trust`."));
    return VL_OK;
}

/* Nothing of the submission has run yet. What was compiled behind the wall stays so. */
static enum vl_status settle_isolation(struct vl_grading *grading)
{
    struct vl_sandbox *sandbox = &grading->sandbox, *ahead = &grading->ahead;
    bool walled = sandbox->walled;
    enum vl_status status = vl_isolation_settle(&grading->trial, sandbox);
    ahead->walled = sandbox->walled;
    ahead->nests = sandbox->nests;
    ahead->cables = sandbox->cables;
    ahead->until = sandbox->until;
    if (has_ranks(grading))
        grading->verdict->bytes_compared =
            sandbox->nests && !grading->request->asan && !grading->request->gdb;
    return status == VL_OK && walled != sandbox->walled ? VL_ELACK : status;
}

/* Part of the budget is for ending what still runs then, and for the report. */
static double time_to_end(double budget)
{
    return fmin(END_SECONDS, END_SHARE * budget);
}

/* From here on the submission's time is counted. Whoever debugs has as much as they like. */
static enum vl_status start_clock(struct vl_grading *grading)
{
    const struct vl_grade_request *request = grading->request;
    grading->budget = request->budget > 0 ? request->budget
                      : request->asan     ? 4 * VL_GRADE_BUDGET
                                          : VL_GRADE_BUDGET;
    grading->budget *= vl_load_average();
    if (!request->gdb)
        grading->sandbox.until = vl_clock() + grading->budget - time_to_end(grading->budget);
    return VL_OK;
}

/* Take over what was graded before, whatever is asked now. */
static enum vl_status take_numbers(struct vl_grading *grading)
{
    const struct vl_verdict *numbers = grading->request->numbers;
    enum vl_status status = VL_OK;
    grading->verdict->bytes_compared = numbers->bytes_compared;
    for (size_t i = 0; i < numbers->case_count && status == VL_OK; i++) {
        const struct vl_case_result *result = &numbers->cases[i];
        if (result->group == VL_GROUP_THROUGHPUT)
            continue;
        if (vl_verdict_add(grading->verdict, result) == NULL)
            status = VL_ENOMEM;
    }
    return status;
}

static enum vl_status numbers(struct vl_grading *grading)
{
    if (grading->request->numbers != NULL)
        return take_numbers(grading);
    enum vl_status status = vl_grading_cases(grading);
    return status == VL_OK && !vl_interrupt_seen() ? vl_grading_causes(grading) : status;
}

static enum vl_status run(struct vl_grading *grading)
{
    static enum vl_status (*const steps[])(struct vl_grading *) = {
        open_sandboxes, isolate, start_clock, build, settle_isolation, numbers, vl_grading_timings};
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == VL_OK && !vl_interrupt_seen();
         i++)
        status = steps[i](grading);
    int why = errno;
    if (grading->trial.runs)
        vl_process_free(&grading->trial.process);
    vl_grading_forget(grading);
    vl_sandbox_close(&grading->other);
    vl_sandbox_close(&grading->ahead);
    vl_sandbox_close(&grading->sandbox);
    vl_build_free(&grading->build);
    errno = why;
    return status;
}

enum vl_status vl_grade(struct vl_verdict *verdict, const struct vl_grade_request *request)
{
    enum vl_status status = describe(verdict, request);
    const char *lacks = vl_machine_lacks();
    if (status != VL_OK)
        return status;
    if (lacks != NULL)
        return give_up(verdict, VL_ELACK, "%s", lacks);
    struct vl_grading grading = {
        .request = request, .lab = vl_lab_cases(request->lab), .verdict = verdict};
    if (vl_scratch_create(&grading.scratch) != VL_OK) {
        const char *base = getenv("TMPDIR");
        int why = errno;
        return give_up(verdict, VL_ELACK,
                       vl_file_lacks_space(why)
                           ? _("No folder for temporary files could be made in %1$s (%2$s). Free "
                               "some space there, or set TMPDIR to another folder.")
                           : _("No folder for temporary files could be made in %1$s (%2$s). Set "
                               "TMPDIR to an existing folder that you may write to."),
                       base != NULL ? base : "/tmp", strerror(why));
    }
    vl_interrupt_begin();
    status = run(&grading);
    if (verdict->message == NULL)
        status = explain(verdict, status, grading.scratch);
    vl_scratch_remove(grading.scratch);
    free(grading.scratch);
    vl_verdict_close(verdict);
    vl_interrupt_end();
    return status;
}
