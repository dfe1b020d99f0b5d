#include "base/place.h"
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/job.h"
#include "cli/say.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Run a program and wait; its own output goes to 'out' (a descriptor). Its exit status, or -1. */
static int call(const char *const *words, int out)
{
    int status;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(out, STDOUT_FILENO);
        execvp(words[0], (char *const *)words);
        _exit(127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

static int has_display(void)
{
    return getenv("DISPLAY") != NULL || getenv("WAYLAND_DISPLAY") != NULL;
}

/* The page in the language in force, else the English one; the caller frees it. */
static char *first_page(void)
{
    char below[64];
    snprintf(below, sizeof below, "book/%s/index.html", vl_text_language());
    char *page = vl_place_path("share", below);
    if (page != NULL && access(page, R_OK) == 0)
        return page;
    free(page);
    page = vl_place_path("share", "book/en/index.html");
    if (page != NULL && access(page, R_OK) == 0)
        return page;
    free(page);
    return NULL;
}

static int run(const struct vl_arguments *arguments)
{
    char *build = vl_place_path("build", NULL);
    char *cmake = vl_job_program("cmake");
    int built = 0;
    if (build != NULL && cmake != NULL && access(build, W_OK) == 0) {
        const char *const words[] = {cmake, "--build", build, "--target", "book", NULL};
        fprintf(stderr, "%s\n", _("Building the book; the first time takes a minute or two."));
        built = call(words, STDERR_FILENO) == 0;
    }
    free(build);
    free(cmake);
    char *page = first_page();
    if (page == NULL)
        return vl_say(VL_EXIT_LACK, _("The book could not be built: it needs CMake and Sphinx with "
                                      "MyST and furo. `vialata doctor` says which are missing."));
    if (!built)
        vl_say(VL_EXIT_OK, _("This is the book as it was built before."));
    printf("%s\n", page);
    if (vl_argument(arguments, "no-open") == NULL && has_display()) {
        const char *const words[] = {"xdg-open", page, NULL};
        if (call(words, STDERR_FILENO) != 0)
            vl_say(VL_EXIT_OK, _("No browser could be opened: open the page above yourself."));
    }
    free(page);
    return VL_EXIT_OK;
}

static const struct vl_flag flags[] = {
    {"no-open", NULL, N_("only build it and say where it is")},
    {0},
};

const struct vl_command vl_command_book = {
    .name = "book",
    .takes = "",
    .summary = N_("Build the book from the course's texts, and open it in a browser."),
    .flags = flags,
    .run = run,
};
