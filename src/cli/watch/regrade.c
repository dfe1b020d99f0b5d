#include "cli/watch/regrade.h"

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "base/words.h"
#include "report/verdict/read.h"
#include "sandbox/process.h"
#include "sandbox/scratch/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define VERDICT    "verdict.json"
#define ERRORS     "errors"
#define MOST_WORDS ((size_t)1 << 16)

enum vl_status vl_regrade_open(struct vl_regrade *regrade)
{
    *regrade = (struct vl_regrade){0};
    return vl_scratch_create(&regrade->folder);
}

void vl_regrade_close(struct vl_regrade *regrade)
{
    vl_regrade_give_up(regrade);
    if (regrade->folder != NULL)
        vl_scratch_remove(regrade->folder);
    free(regrade->folder);
    *regrade = (struct vl_regrade){0};
}

/* In the grader's process, before it is the grader: the terminal is ours. */
static bool put_streams(const char *errors)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    int said = open(errors, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    return dup2(nothing, STDIN_FILENO) >= 0 && dup2(nothing, STDOUT_FILENO) >= 0 &&
           dup2(said, STDERR_FILENO) >= 0;
}

static void set_words(struct vl_words *words, const struct vl_lab *lab, const char *function,
                      const char *verdict)
{
    vl_words_add(words, "%s", "/proc/self/exe");
    vl_words_add(words, "grade");
    vl_words_add(words, "%d", lab->number);
    vl_words_add_all(words, (const char *const[]){"--format", "json", "--out", verdict, "--lang",
                                                  vl_text_language(), NULL});
    if (function != NULL)
        vl_words_add_all(words, (const char *const[]){"--only", function, "--no-speed", NULL});
}

/* Our handlers are not the grader's, and a signal between two of them must not be lost. */
static void take_signals(const sigset_t *mask)
{
    static const int ours[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP, SIGCONT};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        signal(ours[i], SIG_DFL);
    sigprocmask(SIG_SETMASK, mask, NULL);
}

static void become(char **words, pid_t parent, const char *errors, const sigset_t *mask)
{
    take_signals(mask);
    setsid(); /* a Ctrl-C of the terminal is ours; it is told to end */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() == parent && put_streams(errors))
        execv(words[0], words);
    _exit(127);
}

enum vl_status vl_regrade_begin(struct vl_regrade *regrade, const struct vl_lab *lab,
                                const char *function)
{
    struct vl_words words = {0};
    vl_regrade_give_up(regrade);
    char *verdict = vl_path_join(regrade->folder, VERDICT);
    char *errors = vl_path_join(regrade->folder, ERRORS);
    pid_t parent = getpid();
    enum vl_status status = VL_ENOMEM;
    if (verdict != NULL && errors != NULL) {
        unlink(verdict);
        set_words(&words, lab, function, verdict);
        status = words.failed ? VL_ENOMEM : VL_OK;
    }
    sigset_t all, mask;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &mask);
    if (status == VL_OK && (regrade->process = fork()) == 0)
        become(words.list, parent, errors, &mask);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    if (regrade->process < 0) {
        regrade->process = 0;
        status = VL_EIO;
    }
    regrade->since = vl_clock();
    vl_words_free(&words);
    free(errors);
    free(verdict);
    return status;
}

void vl_regrade_give_up(struct vl_regrade *regrade)
{
    if (regrade->process > 0) {
        kill(regrade->process, SIGTERM);
        while (waitpid(regrade->process, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    regrade->process = 0;
}

bool vl_regrade_has_ended(struct vl_regrade *regrade)
{
    if (regrade->process > 0 && waitpid(regrade->process, NULL, WNOHANG) == 0)
        return false;
    regrade->process = 0;
    return true;
}

enum vl_status vl_regrade_verdict(struct vl_verdict *verdict, char **words,
                                  const struct vl_regrade *regrade)
{
    char *path = vl_path_join(regrade->folder, VERDICT);
    char *errors = vl_path_join(regrade->folder, ERRORS);
    size_t n = 0;
    *words = NULL;
    enum vl_status status =
        path != NULL && errors != NULL ? vl_verdict_read(verdict, path) : VL_ENOMEM;
    if (status != VL_OK && status != VL_ENOMEM) {
        status = VL_ELACK;
        vl_file_read(words, &n, errors, MOST_WORDS);
    }
    free(errors);
    free(path);
    return status;
}
