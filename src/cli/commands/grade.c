#include "base/file.h"
#include "base/text.h"
#include "class/intake/archive.h"
#include "class/intake/intake.h"
#include "cli/commands/grade_program.h"
#include "cli/companion/functions.h"
#include "cli/shared/arguments.h"
#include "cli/shared/formats.h"
#include "cli/shared/grading.h"
#include "cli/shared/labs.h"
#include "cli/shared/say.h"
#include "cli/shared/secret.h"
#include "cli/workspace/workspace.h"
#include "grade/catalogue/case.h"
#include "report/verdict/read.h"
#include "report/verdict/report.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Not every reader of JSON keeps whole numbers above this exactly. */
#define SEED_MOST 9007199254740991u

struct task {
    struct vl_grade_request request; /* without its lab, and without its seed if that is secret */
    struct vl_verdict numbers;       /* taken over; without cases if there are none */
    struct vl_secret secret;
    const struct vl_lab **labs;
    size_t count;
    int list;       /* "all": a list even if it holds one */
    int incomplete; /* "all", and some labs are not started */
    enum vl_report_format format;
    const char *out;
    const char *program; /* write the case as this C file, and grade nothing */
    bool brief;          /* what is right is only counted */
};

/* ---- what was asked ---- */

static enum vl_exit read_labs(struct task *task, const char *word)
{
    if (strcmp(word, "all") != 0) {
        task->labs[0] = vl_lab_named(word);
        task->count = 1;
        return task->labs[0] != NULL ? VL_EXIT_OK : VL_EXIT_USAGE;
    }
    task->list = 1;
    for (size_t i = 0; i < vl_lab_count; i++)
        if (vl_lab_is_here(vl_labs[i]))
            task->labs[task->count++] = vl_labs[i];
    return VL_EXIT_OK;
}

struct ids {
    const struct vl_lab *lab;
    const struct vl_lab_cases *cases;
};

/* Every id that --only takes: cases, timings, functions. */
static const char *id_at(size_t i, const void *context)
{
    const struct ids *ids = context;
    size_t cases = ids->cases != NULL ? ids->cases->case_count : 0;
    size_t timings = ids->cases != NULL ? ids->cases->timing_count : 0;
    if (i < cases)
        return ids->cases->cases[i].id;
    if (i - cases < timings)
        return ids->cases->timings[i - cases].id;
    i -= cases + timings;
    return i < ids->lab->function_count ? ids->lab->functions[i].name : NULL;
}

/* *only: with a function's whole name, if it was given without its prefix. */
static enum vl_exit check_only(const struct vl_lab *lab, const char **whole)
{
    const char *only = *whole;
    struct ids ids = {.lab = lab, .cases = vl_lab_cases(lab)};
    for (size_t i = 0; id_at(i, &ids) != NULL; i++)
        if (strcmp(id_at(i, &ids), only) == 0)
            return VL_EXIT_OK;
    if (vl_function_named(lab, only) != NULL) {
        *whole = vl_function_named(lab, only)->name;
        return VL_EXIT_OK;
    }
    const char *nearest = vl_arguments_nearest(only, id_at, &ids);
    if (nearest != NULL)
        return vl_say(VL_EXIT_USAGE, _("Lab %1$02d has no case `%2$s`: did you mean `%3$s`?"),
                      lab->number, only, nearest);
    return vl_say(VL_EXIT_USAGE,
                  _("Lab %1$02d has no case or function `%2$s`: `vialata grade %1$02d` shows their "
                    "names."),
                  lab->number, only);
}

/* A folder that was handed in may be a link to another student's, or to the reference. On the way to
 * it only links of root's and of our own lead where they should. */
static bool is_link(const char *path)
{
    size_t length = strlen(path);
    char *part = strdup(path);
    bool found = false, last = true;
    while (part != NULL && !found && length > 0) {
        struct stat info;
        while (length > 1 && part[length - 1] == '/')
            length--;
        part[length] = '\0';
        found = lstat(part, &info) == 0 && S_ISLNK(info.st_mode) &&
                (last || (info.st_uid != 0 && info.st_uid != geteuid()));
        while (length > 0 && part[length - 1] != '/')
            length--;
        last = false;
        if (length == 1) /* the root */
            length = 0;
    }
    free(part);
    return found;
}

static enum vl_exit check_together(struct task *task)
{
    struct vl_grade_request *request = &task->request;
    int programs = request->reference + (request->submission != NULL) + (request->mistake != NULL);
    if (programs > 1)
        return vl_say(VL_EXIT_USAGE, _("`--reference`, `--submission` and `--mistake` each name a "
                                       "program to grade: choose one of them."));
    if (task->list &&
        (request->submission != NULL || request->only != NULL || request->mistake != NULL))
        return vl_say(VL_EXIT_USAGE,
                      _("`--submission`, `--mistake` and `--only` belong to one lab: "
                        "name the lab instead of `all`."));
    if (request->gdb && request->only == NULL)
        return vl_say(VL_EXIT_USAGE, _("`--gdb` debugs one case: choose it with `--only CASE`."));
    if (request->gdb && (task->format != VL_REPORT_TEXT || task->out != NULL))
        return vl_say(VL_EXIT_USAGE, _("`--gdb` is a conversation in the terminal: leave out "
                                       "`--format` and `--out`."));
    if (task->program != NULL && request->only == NULL)
        return vl_say(VL_EXIT_USAGE,
                      _("`--program` saves one case: choose it with `--only CASE`."));
    if (request->submission != NULL && access(request->submission, R_OK) != 0)
        return vl_say(VL_EXIT_USAGE,
                      _("The submission %s cannot be read (%m): name a file, a folder or an "
                        "archive."),
                      request->submission);
    if (request->submission != NULL && is_link(request->submission))
        return vl_say(VL_EXIT_USAGE,
                      _("The submission %s is a link, which may lead to somebody else's work: name "
                        "the file or folder itself."),
                      request->submission);
    return request->only != NULL ? check_only(task->labs[0], &request->only) : VL_EXIT_OK;
}

static bool is_archive(const char *path)
{
    struct stat info;
    return path != NULL && vl_archive_ending(path) > 0 && stat(path, &info) == 0 &&
           S_ISREG(info.st_mode);
}

static enum vl_exit check_seed(const struct vl_arguments *arguments)
{
    const char *student = vl_argument(arguments, "student");
    if (vl_argument(arguments, "secret") != NULL && vl_argument(arguments, "seed") != NULL)
        return vl_say(VL_EXIT_USAGE,
                      _("`--secret` and `--seed` each give a seed: choose one of them."));
    if (vl_argument(arguments, "secret") != NULL && student == NULL)
        return vl_say(VL_EXIT_USAGE,
                      _("`--secret` needs the student's name: add `--student NAME`."));
    if (vl_argument(arguments, "secret") != NULL && vl_argument(arguments, "show") != NULL)
        return vl_say(
            VL_EXIT_USAGE,
            _("`--show` would give away the inputs that `--secret` keeps: leave out one of "
              "them."));
    enum vl_exit result = vl_student_check(student);
    return result == VL_EXIT_OK ? vl_student_check(vl_argument(arguments, "shown-as")) : result;
}

static enum vl_exit refuse_out(const char *path)
{
    return vl_say(VL_EXIT_USAGE,
                  _("%s cannot be written (%m), so nothing was written: choose another name after "
                    "`--out`."),
                  path);
}

/* Known before anything is graded, not half a minute later. */
static enum vl_exit check_out(const char *path)
{
    return path == NULL || vl_file_try(path) == VL_OK ? VL_EXIT_OK : refuse_out(path);
}

/* Keep only the labs that are started: the others have nothing to grade. */
static enum vl_exit choose_started(struct task *task, const char *workspace)
{
    size_t kept = 0;
    char numbers[256] = "";
    for (size_t i = 0; i < task->count; i++) {
        size_t length = strlen(numbers);
        if (vl_workspace_has(workspace, task->labs[i]))
            task->labs[kept++] = task->labs[i];
        else
            snprintf(numbers + length, sizeof numbers - length, "%s%02d", length > 0 ? ", " : "",
                     task->labs[i]->number);
    }
    task->incomplete = kept < task->count;
    task->count = kept;
    if (kept == 0)
        return vl_say(VL_EXIT_USAGE,
                      _("No lab is started in %s: `vialata start 01` begins the first one."),
                      workspace);
    if (task->incomplete)
        vl_say(VL_EXIT_OK, _("Not graded, because they are not started: %s."), numbers);
    return VL_EXIT_OK;
}

static enum vl_exit check_started(struct task *task)
{
    if (!task->list)
        return vl_workspace_require(task->labs[0]);
    char *workspace = vl_workspace_open();
    enum vl_exit status = workspace != NULL ? choose_started(task, workspace) : VL_EXIT_LACK;
    free(workspace);
    return status;
}

static bool is_same_text(const char *left, const char *right)
{
    return left == NULL || right == NULL ? left == right : strcmp(left, right) == 0;
}

static bool is_same_origin(const struct vl_verdict *verdict, const struct task *task)
{
    bool secret = task->secret.bytes != NULL;
    const char *student = task->request.origin.student;
    if (student != NULL && task->request.shown_as != NULL)
        student = task->request.shown_as;
    return verdict->secret == secret && (secret || verdict->seed == task->request.origin.seed) &&
           is_same_text(verdict->student, student);
}

/* A verdict to go on from, of the same lab and the same inputs. */
static enum vl_exit read_numbers(struct task *task, const char *path)
{
    if (path == NULL)
        return VL_EXIT_OK;
    enum vl_status status = vl_verdict_read(&task->numbers, path);
    if (status == VL_ENOMEM)
        return vl_say_status(status);
    if (status != VL_OK || task->list || task->numbers.lab != task->labs[0]->number ||
        !is_same_origin(&task->numbers, task) || task->request.without_throughput)
        return vl_say(
            VL_EXIT_USAGE,
            _("`--numbers` takes the verdict, in JSON, that `--no-speed` gave on the same lab with "
              "the same seed, and %s is not one."),
            path);
    task->request.numbers = &task->numbers;
    return VL_EXIT_OK;
}

static enum vl_exit read_task(struct task *task, const struct vl_arguments *arguments)
{
    struct vl_grade_request *request = &task->request;
    request->origin.seed = VL_GRADE_SEED;
    request->origin.student = vl_argument(arguments, "student");
    request->shown_as = vl_argument(arguments, "shown-as");
    request->origin.secret = vl_argument(arguments, "secret") != NULL;
    request->submission = vl_argument(arguments, "submission");
    request->unpack = is_archive(request->submission) ? vl_unpack_lab : NULL;
    request->reference = vl_argument(arguments, "reference") != NULL;
    request->mistake = vl_argument(arguments, "mistake");
    request->only = vl_argument(arguments, "only");
    request->without_throughput = vl_argument(arguments, "no-speed") != NULL;
    request->require_wall = vl_argument(arguments, "require-sandbox") != NULL;
    request->trust = vl_argument(arguments, "trust") != NULL;
    request->asan = vl_argument(arguments, "asan") != NULL;
    request->gdb = vl_argument(arguments, "gdb") != NULL;
    request->show = vl_argument(arguments, "show") != NULL;
    task->out = vl_argument(arguments, "out");
    task->program = vl_argument(arguments, "program");
    task->brief = vl_argument(arguments, "verbose") == NULL && request->only == NULL;
    const char *format = vl_argument(arguments, "format");
    enum vl_exit status = read_labs(task, arguments->words[0]);
    if (status == VL_EXIT_OK)
        status = vl_format_named(&task->format, format != NULL ? format : "text");
    if (status == VL_EXIT_OK &&
        !vl_argument_number_of(&request->origin.seed, arguments, "seed", 0, SEED_MOST))
        status = VL_EXIT_USAGE;
    uint64_t budget = 0;
    if (status == VL_EXIT_OK && !vl_argument_number_of(&budget, arguments, "budget",
                                                       VL_GRADE_BUDGET_LEAST, VL_GRADE_BUDGET_MOST))
        status = VL_EXIT_USAGE;
    request->budget = (double)budget;
    if (status == VL_EXIT_OK)
        status = check_seed(arguments);
    if (status == VL_EXIT_OK)
        status = vl_secret_read(&task->secret, vl_argument(arguments, "secret"));
    if (status == VL_EXIT_OK)
        status = read_numbers(task, vl_argument(arguments, "numbers"));
    if (status == VL_EXIT_OK)
        status = check_together(task);
    if (status == VL_EXIT_OK)
        status = check_out(task->out);
    if (status == VL_EXIT_OK && request->submission == NULL && !request->reference &&
        request->mistake == NULL)
        status = check_started(task);
    return status;
}

/* ---- doing it ---- */

/* Where a person follows the grading: never into a report that a machine reads. */
static FILE *followed(const struct task *task)
{
    if (task->format == VL_REPORT_TEXT && task->out == NULL)
        return stdout;
    return isatty(STDERR_FILENO) ? stderr : NULL;
}

static enum vl_exit write_report(const struct task *task, const struct vl_verdict *verdicts)
{
    enum vl_status status;
    if (task->out == NULL) {
        if (task->format == VL_REPORT_TEXT)
            return VL_EXIT_OK; /* told as it went */
        status = vl_report_write(stdout, verdicts, task->count, task->list, task->format);
        return status == VL_OK || status == VL_EIO /* main says so */
                   ? VL_EXIT_OK
                   : vl_say(VL_EXIT_FAULT, "%s", vl_status_text(status));
    }
    status = vl_report_save(task->out, verdicts, task->count, task->list, task->format);
    return status == VL_OK ? VL_EXIT_OK : refuse_out(task->out);
}

static enum vl_exit grade(struct task *task, struct vl_verdict *verdicts)
{
    enum vl_exit worst = task->incomplete ? VL_EXIT_BELOW : VL_EXIT_OK;
    FILE *told = followed(task);
    for (size_t i = 0; i < task->count; i++) {
        task->request.lab = task->labs[i];
        if (task->request.origin.secret)
            task->request.origin.seed =
                vl_secret_seed(task->secret.bytes, task->secret.count, task->labs[i]->slug,
                               task->request.origin.student);
        if (i > 0 && told != NULL)
            fputc('\n', told);
        enum vl_exit status = vl_grading_run(&verdicts[i], &task->request, told, task->brief);
        worst = status > worst ? status : worst;
    }
    enum vl_exit status = write_report(task, verdicts);
    return status > worst ? status : worst;
}

/* With the files of the workspace, or of a folder that was named. */
static enum vl_exit save_program(const struct task *task)
{
    const struct vl_grade_request *request = &task->request;
    char *folder = request->submission != NULL ? strdup(request->submission)
                                               : vl_workspace_lab(task->labs[0], NULL);
    enum vl_exit result = folder != NULL ? vl_grade_program(task->labs[0], request->only,
                                                            &request->origin, folder, task->program)
                                         : vl_say_status(VL_ENOMEM);
    free(folder);
    return result;
}

static int run(const struct vl_arguments *arguments)
{
    struct task task = {.format = VL_REPORT_TEXT};
    struct vl_verdict *verdicts = calloc(vl_lab_count, sizeof *verdicts);
    task.labs = calloc(vl_lab_count, sizeof *task.labs);
    enum vl_exit status = verdicts == NULL || task.labs == NULL ? vl_say_status(VL_ENOMEM)
                                                                : read_task(&task, arguments);
    if (status == VL_EXIT_OK)
        status = task.program != NULL ? save_program(&task) : grade(&task, verdicts);
    for (size_t i = 0; verdicts != NULL && i < task.count; i++)
        vl_verdict_free(&verdicts[i]);
    vl_verdict_free(&task.numbers);
    vl_secret_free(&task.secret);
    free(verdicts);
    free(task.labs);
    return status;
}

static const struct vl_flag flags[] = {
    {"submission", "PATH",
     N_("a file, folder or archive to grade; the lab in your workspace by default")},
    {"reference", NULL, N_("grade the reference solution")},
    {"mistake", "NAME", N_("grade the reference with a known mistake in it, `FUNCTION/CODE`")},
    {"seed", "N", N_("seed of the inputs, so that others are drawn")},
    {"student", "NAME", N_("whose work it is: the shapes that its predictions must have")},
    {"shown-as", "NAME", N_("what the verdict calls the student, instead of the name")},
    {"secret", "FILE", N_("derive the seed from this secret and the student, and never show it")},
    {"only", "CASE", N_("one case, or all cases of one function")},
    {"no-speed", NULL, N_("leave out the timed part; its points are not counted")},
    {"numbers", "FILE", N_("run the timed part only, and take the rest from this verdict (JSON)")},
    {"budget", "SECONDS", N_("the time for a lab; 180 by default, more on a busy machine")},
    {"require-sandbox", NULL, N_("grade nothing where bubblewrap cannot isolate it")},
    {"trust", NULL, N_("run the submission under your name where bubblewrap does not work")},
    {"asan", NULL, N_("build and run under AddressSanitizer, which finds wrong memory accesses")},
    {"gdb", NULL, N_("run one case in the debugger (with `--only`)")},
    {"show", NULL,
     N_("of each case that fails, or the one chosen with `--only`, show inputs, expected and actual "
        "results")},
    {"program", "FILE", N_("save the case of `--only` as a small C program, and grade nothing")},
    {"verbose", NULL, N_("list every case, including those that are right")},
    {"format", "NAME",
     N_("text, json, junit, codegrade, gradescope, autolab, prairielearn, github-classroom, "
        "exercism-v2 or exercism-v3")},
    {"out", "FILE", N_("write the report to this file, whole or not at all")},
    {0},
};

const struct vl_command vl_command_grade = {
    .name = "grade",
    .takes = "LAB|all",
    .least = 1,
    .most = 1,
    .summary = N_("Grade a lab: numbers, predictions and speed, case by case."),
    .flags = flags,
    .run = run,
};
