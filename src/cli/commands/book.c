#include "base/path.h"
#include "base/place.h"
#include "base/text.h"
#include "cli/shared/arguments.h"
#include "cli/shared/checks.h"
#include "cli/shared/say.h"
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
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

static bool has_display(void)
{
    return getenv("DISPLAY") != NULL || getenv("WAYLAND_DISPLAY") != NULL;
}

/* The first page of a book that is complete (po/publish.cmake); NULL if it is not. */
static char *whole_book(const char *language)
{
    char below[64];
    snprintf(below, sizeof below, "book/%s/.complete", language);
    char *mark = vl_place_path("share", below);
    snprintf(below, sizeof below, "book/%s/index.html", language);
    char *page = vl_place_path("share", below);
    if (mark == NULL || page == NULL || access(mark, R_OK) != 0 || access(page, R_OK) != 0) {
        free(page);
        page = NULL;
    }
    free(mark);
    return page;
}

/* The page in the language in force, else the English one; the caller frees it. */
static char *first_page(void)
{
    char *page = whole_book(vl_text_language());
    return page != NULL ? page : whole_book("en");
}

/* Say why CMake did not build it. */
static enum vl_exit say_why(void)
{
    static const char *const needed[] = {"cmake", "sphinx"};
    struct vl_check check;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!vl_check_make(&check, needed[i]))
            return vl_say(VL_EXIT_LACK,
                          _("The book could not be built, for this is missing: %1$s. %2$s"),
                          check.what[0] != '\0' ? check.what : check.name, _(check.remedy));
    return vl_say(VL_EXIT_LACK, _("The book could not be built: what stopped it stands above."));
}

/* Build it in this build tree, and say what went wrong. Two builds at a time would write the same
 * files, so the second waits. */
static enum vl_exit build_book(const char *build)
{
    char *lock = vl_place_path("build", ".lock"); /* ./vialata takes it too */
    char *cmake = vl_path_program("cmake");
    enum vl_exit status = VL_EXIT_OK;
    /* CMake inherits the lock: if we are killed, it is held until CMake has ended, too. */
    int held = lock != NULL ? open(lock, O_RDWR | O_CREAT, 0666) : -1;
    if (held < 0 || access(build, W_OK) != 0)
        status = vl_say(VL_EXIT_LACK,
                        _("The book cannot be built in %1$s: %2$s. Choose another folder for the "
                          "build with VIALATA_BUILD=FOLDER."),
                        build, strerror(errno));
    else {
        const char *const words[] = {cmake, "--build", build, "--target", "book", NULL};
        flock(held, LOCK_EX);
        fprintf(stderr, "%s\n", _("Building the book; the first time takes a minute or two."));
        if (cmake == NULL || call(words, STDERR_FILENO) != 0)
            status = say_why();
    }
    if (held >= 0)
        close(held);
    free(lock);
    free(cmake);
    return status;
}

static int run(const struct vl_arguments *arguments)
{
    const char *build = vl_place_text("build"); /* an installed tree has none, and a book at best */
    enum vl_exit status = build[0] != '\0' ? build_book(build) : VL_EXIT_OK;
    char *page = first_page();
    if (page == NULL && status != VL_EXIT_OK)
        return (int)status;
    if (page == NULL)
        return vl_say(VL_EXIT_LACK, _("This tree was installed without the book: build its target "
                                      "`book`, then install it again."));
    if (status != VL_EXIT_OK)
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
