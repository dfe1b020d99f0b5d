#include "cli/clinic/trial.h"

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/mpi/watched_report.h"
#include "cli/shared/say.h"
#include "sandbox/interrupt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECONDS 20 /* no program of the clinic takes more than one when it is right */

/* Its exit status, or -1. */
static int call(char *const *words)
{
    int status = -1;
    fflush(NULL);
    pid_t pid = fork(), who = -1;
    if (pid == 0) {
        execv(words[0], words);
        _exit(127);
    }
    while (pid > 0 && (who = waitpid(pid, &status, 0)) < 0 && errno == EINTR)
        ;
    return who > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Next to the program, away from the student's copy of clinic.h. */
static enum vl_exit write_source(char **source, const char *program, const char *text,
                                 const char *name)
{
    char *lines = NULL;
    bool made = asprintf(source, "%s.c", program) >= 0;
    made = made && asprintf(&lines, "#line 1 \"%s\"\n%s", name, text) >= 0;
    enum vl_status status = made ? vl_file_write(*source, lines, strlen(lines)) : VL_ENOMEM;
    if (made)
        free(lines);
    return vl_say_status(status);
}

static enum vl_exit compile(const char *program, const char *source, const char *header)
{
    char *compiler = vl_path_program("mpicc");
    struct vl_words words = {0};
    if (compiler == NULL)
        return vl_say(VL_EXIT_LACK,
                      _("mpicc was not found, and the clinic compiles with it: install Open MPI's "
                        "development files, or let `./vialata` do it."));
    vl_words_add_all(&words, (const char *const[]){compiler, "-std=gnu11", "-g", "-O1", "-Wall",
                                                   "-fno-optimize-sibling-calls", "-iquote", NULL});
    vl_words_add(&words, "%.*s", (int)(strrchr(header, '/') - header), header);
    vl_words_add_all(&words, (const char *const[]){source, "-o", program, "-lm", NULL});
    int status = words.failed ? -1 : call(words.list);
    vl_words_free(&words);
    free(compiler);
    if (status < 0 && !vl_interrupt_seen())
        return vl_say(VL_EXIT_LACK, "%s", _("The compiler could not be started."));
    return status == 0 ? VL_EXIT_OK : VL_EXIT_BELOW;
}

enum vl_exit vl_clinic_trial_build(const char *program, const char *text, const char *name,
                                   const char *header)
{
    char *source = NULL;
    enum vl_exit result = write_source(&source, program, text, name);
    if (result == VL_EXIT_OK)
        result = compile(program, source, header);
    free(source);
    return result;
}

static enum vl_status look(struct vl_clinic_trial *trial, struct vl_watched_job *job,
                           const struct vl_watched_launcher *launcher)
{
    char *const program[] = {(char *)trial->program, NULL};
    enum vl_status status = vl_watched_run(job, launcher, program);
    struct vl_program_places places = {.folder = job->folder, .ranks = job->ranks};
    trial->end = job->end;
    trial->status = job->status;
    trial->seconds = job->seconds;
    trial->begun = vl_watched_begun(job);
    if (status == VL_OK)
        status = vl_watched_find(&trial->finding, &places, job);
    if (status == VL_OK && trial->report)
        vl_watched_tell(job, &trial->finding, &places);
    vl_program_places_free(&places);
    return status;
}

static enum vl_status run(struct vl_clinic_trial *trial, const struct vl_watched_launcher *launcher)
{
    struct vl_watched_job job;
    struct vl_printed printed = {.out = -1, .in = -1};
    enum vl_status status = vl_watched_open(&job, trial->ranks, true);
    int why = errno;
    if (status == VL_OK && trial->quiet)
        status = vl_printed_open(&printed);
    job.printed = trial->quiet ? &printed : NULL;
    job.most = SECONDS;
    if (status == VL_OK)
        status = look(trial, &job, launcher);
    why = status == VL_EIO ? errno : why;
    vl_watched_close(&job);
    trial->printed = printed.text;
    printed.text = NULL;
    vl_printed_close(&printed);
    errno = why;
    return status;
}

enum vl_exit vl_clinic_trial_run(struct vl_clinic_trial *trial)
{
    struct vl_watched_launcher launcher;
    enum vl_exit result = vl_watched_launcher_set(&launcher, "mpirun", trial->ranks);
    if (result == VL_EXIT_OK)
        result = vl_watched_refuse(run(trial, &launcher));
    vl_watched_launcher_free(&launcher);
    return result;
}

void vl_clinic_trial_free(struct vl_clinic_trial *trial)
{
    vl_finding_free(&trial->finding);
    free(trial->printed);
    trial->printed = NULL;
}
