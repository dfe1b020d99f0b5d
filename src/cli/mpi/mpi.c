/* vialata mpi: run any MPI program, and say why it hangs. */
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/mpi/tool_output.h"
#include "cli/mpi/watched_report.h"
#include "cli/mpi/watched_trace.h"
#include "cli/shared/arguments.h"
#include "cli/shared/say.h"
#include "cli/shared/write.h"
#include "sandbox/interrupt.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the program ---- */

static bool is_script(const char *path)
{
    char begin[2] = "";
    FILE *stream = fopen(path, "re");
    bool script = stream != NULL && fread(begin, 1, 2, stream) == 2 && memcmp(begin, "#!", 2) == 0;
    if (stream != NULL)
        fclose(stream);
    return script;
}

/* A script is believed: what it starts is watched, if it is an MPI program. */
static enum vl_exit check_program(const char *path)
{
    char *const words[] = {(char *)"ldd", (char *)path, NULL};
    if (is_script(path))
        return VL_EXIT_OK;
    char *libraries = vl_tool_output(words);
    enum vl_exit result = VL_EXIT_OK;
    if (libraries != NULL && strstr(libraries, "=>") == NULL)
        result = vl_say(VL_EXIT_USAGE,
                        _("%s was linked statically: a program can be watched only if it loads "
                          "MPI's library when it starts. Link it without `-static`."),
                        path);
    else if (libraries != NULL && strstr(libraries, "libmpich") != NULL)
        result = vl_say(VL_EXIT_USAGE,
                        _("%s was built with MPICH: compile it with Open MPI's `mpicc`, and it can "
                          "be watched."),
                        path);
    free(libraries);
    return result;
}

/* ---- the run ---- */

static enum vl_exit write_picture(const char *path, const struct vl_watched_job *job,
                                  const struct vl_finding *finding)
{
    char *svg = NULL;
    enum vl_status status = vl_watched_picture(&svg, job, finding);
    enum vl_exit result =
        status != VL_OK || svg != NULL ? vl_write_text(path, status, svg) : VL_EXIT_OK;
    free(svg);
    return result;
}

static enum vl_exit write_timeline(const char *path, const struct vl_watched_job *job)
{
    char *text = NULL;
    uint64_t lost = 0;
    enum vl_status status = vl_watched_trace(&text, &lost, job);
    enum vl_exit result = vl_write_text(path, status, text);
    free(text);
    if (result == VL_EXIT_OK && lost > 0)
        vl_say(
            VL_EXIT_OK,
            _("%1$s has only the beginning of the run: there was no room for the last %2$llu spans."),
            path, (unsigned long long)lost);
    return result;
}

/* The program's own status, unless something is wrong. */
static enum vl_exit watch(struct vl_watched_job *job, const struct vl_watched_launcher *launcher,
                          char *const *program, const struct vl_arguments *arguments)
{
    const char *json = vl_argument(arguments, "json"), *svg = vl_argument(arguments, "svg");
    const char *timeline = vl_argument(arguments, "timeline");
    struct vl_finding finding = {0};
    enum vl_exit result = VL_EXIT_OK;
    enum vl_status status = vl_watched_run(job, launcher, program);
    struct vl_program_places places = {.folder = job->folder, .ranks = job->ranks};
    if (status == VL_OK)
        status = vl_watched_find(&finding, &places, job);
    if (status != VL_OK)
        result = vl_watched_refuse(status);
    else {
        vl_watched_tell(job, &finding, &places);
        bool wrong = finding.code != NULL && !vl_finding_is_allowed(&finding);
        result = wrong ? VL_EXIT_BELOW : (enum vl_exit)job->status;
        if (json != NULL && vl_write_json(json, vl_watched_json(job, &finding)) != VL_EXIT_OK)
            result = VL_EXIT_LACK;
        if (timeline != NULL && write_timeline(timeline, job) != VL_EXIT_OK)
            result = VL_EXIT_LACK;
        if (svg != NULL && write_picture(svg, job, &finding) != VL_EXIT_OK)
            result = VL_EXIT_LACK;
    }
    vl_program_places_free(&places);
    vl_finding_free(&finding);
    return result;
}

static enum vl_exit run_watched(const struct vl_watched_launcher *launcher, int ranks,
                                char *const *program, const struct vl_arguments *arguments)
{
    struct vl_watched_job job;
    enum vl_exit result;
    vl_interrupt_begin();
    enum vl_status status = vl_watched_open(&job, ranks, vl_argument(arguments, "strict") != NULL);
    if (status == VL_OK && vl_argument(arguments, "timeline") != NULL)
        status = vl_watched_record(&job);
    if (status == VL_OK)
        result = watch(&job, launcher, program, arguments);
    else
        result = vl_watched_refuse(status);
    vl_watched_close(&job);
    vl_interrupt_end();
    return result;
}

/* 'words' of these many, and a NULL after them; the first is the program's path. */
static char **program_of(const struct vl_arguments *arguments, char *path)
{
    char **words = calloc((size_t)arguments->count + 1, sizeof *words);
    for (int i = 0; words != NULL && i < arguments->count; i++)
        words[i] = i == 0 ? path : arguments->words[i];
    return words;
}

static int run(const struct vl_arguments *arguments)
{
    uint64_t ranks = 2;
    const char *name = arguments->words[0];
    const char *by = vl_argument(arguments, "launcher");
    struct vl_watched_launcher launcher = {0};
    char *path = vl_path_program(name);
    char **program = program_of(arguments, path);
    enum vl_exit result = VL_EXIT_OK;
    if (!vl_argument_number_of(&ranks, arguments, "n", 1, VL_BOARD_RANKS))
        result = VL_EXIT_USAGE;
    else if (program == NULL)
        result = vl_say_status(VL_ENOMEM);
    else if (path == NULL)
        result = vl_say(VL_EXIT_USAGE,
                        _("%s was not found, or is not a program that can be started."), name);
    else
        result = check_program(path);
    if (result == VL_EXIT_OK)
        result = vl_watched_launcher_set(&launcher, by != NULL ? by : "mpirun", (int)ranks);
    if (result == VL_EXIT_OK)
        result = run_watched(&launcher, (int)ranks, program, arguments);
    vl_watched_launcher_free(&launcher);
    free(program);
    free(path);
    return result;
}

static const struct vl_flag flags[] = {
    {"n", "N", N_("how many ranks (2)")},
    {"launcher", "mpirun|srun",
     N_("who starts the ranks; srun is for a cluster with Slurm (mpirun)")},
    {"strict", NULL,
     N_("look at buffers, too: is one changed while it is sent, or used by two calls? Large messages "
        "take longer then")},
    {"timeline", "FILE",
     N_("write what each rank did and when into this file: `vialata timeline FILE` draws it")},
    {"svg", "FILE",
     N_("if the program comes to a standstill, draw who waits for whom into this file")},
    {"json", "FILE", N_("write what was found into this file as well, as JSON")},
    {0},
};

const struct vl_command vl_command_mpi = {
    .name = "mpi",
    .takes = "[-n N] -- PROGRAM [ARGUMENT ...]",
    .least = 1,
    .most = INT_MAX,
    .summary = N_("Run an MPI program of your own, and say why it hangs or what it leaves undone."),
    .flags = flags,
    .run = run,
};
