#include "cli/book/build.h"

#include "base/path.h"
#include "base/place.h"
#include "base/text.h"
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

#define TARGET 32

int vl_book_call(const char *const *words, int out)
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

/* ---- what there is ---- */

/* share/book/BELOW, if it can be read and 'mark' as well. */
static char *readable(const char *below, const char *mark)
{
    char *file = vl_place_path("share", below), *complete = vl_place_path("share", mark);
    if (file == NULL || complete == NULL || access(complete, R_OK) != 0 ||
        access(file, R_OK) != 0) {
        free(file);
        file = NULL;
    }
    free(complete);
    return file;
}

/* The first page of a site that is complete (po/publish.cmake). */
static char *site_in(const char *language)
{
    char page[64], mark[64];
    snprintf(page, sizeof page, "book/%s/index.html", language);
    snprintf(mark, sizeof mark, "book/%s/.complete", language);
    return readable(page, mark);
}

static const char *ending_of(enum vl_book_form form)
{
    return form == VL_BOOK_EPUB ? "epub" : "pdf";
}

static char *find(enum vl_book_form form)
{
    char file[64];
    if (form == VL_BOOK_SITE) {
        char *page = site_in(vl_text_language());
        return page != NULL ? page : site_in("en");
    }
    snprintf(file, sizeof file, "book/vialata-%s.%s", vl_text_language(), ending_of(form));
    return readable(file, file);
}

/* ---- building ---- */

static bool has(const char *program)
{
    char *path = vl_path_program(program);
    free(path);
    return path != NULL;
}

/* What a book in one file needs besides: known before it is built for a minute. */
static enum vl_exit check_form(enum vl_book_form form)
{
    if (form == VL_BOOK_EPUB && !has("node"))
        return vl_say(VL_EXIT_LACK,
                      _("The book for a reading device needs %1$s for its formulas: install the "
                        "Debian package %2$s, then run the command again."),
                      "Node.js", "nodejs");
    if (form == VL_BOOK_PDF && !has("chromium") && !has("chromium-browser"))
        return vl_say(VL_EXIT_LACK,
                      _("The book for paper needs %1$s, which prints it: install the Debian "
                        "package %2$s, then run the command again."),
                      "Chromium", "chromium");
    return VL_EXIT_OK;
}

/* Say why CMake did not build it. */
static enum vl_exit say_why(void)
{
    static const char *const needed[] = {"cmake", "sphinx"};
    struct vl_check check;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!vl_check_make(&check, needed[i]))
            return vl_say(VL_EXIT_LACK,
                          _("The book could not be built, because this is missing: %1$s. %2$s"),
                          check.what[0] != '\0' ? check.what : check.name, _(check.remedy));
    return vl_say(VL_EXIT_LACK, _("The book could not be built: what stopped it is above."));
}

static void name_target(char target[TARGET], enum vl_book_form form)
{
    if (form == VL_BOOK_SITE)
        snprintf(target, TARGET, "book");
    else
        snprintf(target, TARGET, "%s-%s", ending_of(form), vl_text_language());
}

/* Two builds at a time would write the same files, so the second waits. */
static enum vl_exit build_in(const char *build, enum vl_book_form form)
{
    char target[TARGET];
    char *lock = vl_place_path("build", ".lock"); /* ./vialata takes it too */
    char *cmake = vl_path_program("cmake");
    enum vl_exit status = VL_EXIT_OK;
    name_target(target, form);
    /* CMake inherits the lock: if we are killed, it is held until CMake has ended, too. */
    int held = lock != NULL ? open(lock, O_RDWR | O_CREAT, 0666) : -1;
    if (held < 0 || access(build, W_OK) != 0)
        status = vl_say(VL_EXIT_LACK,
                        _("The book cannot be built in %1$s: %2$s. Choose another folder for the "
                          "build with VIALATA_BUILD=FOLDER."),
                        build, strerror(errno));
    else {
        const char *const words[] = {cmake, "--build", build, "--target", target, NULL};
        flock(held, LOCK_EX);
        fprintf(stderr, "%s\n", _("Building the book; the first time takes a minute or two."));
        if (cmake == NULL || vl_book_call(words, STDERR_FILENO) != 0)
            status = say_why();
    }
    if (held >= 0)
        close(held);
    free(lock);
    free(cmake);
    return status;
}

enum vl_exit vl_book_make(char **path, enum vl_book_form form)
{
    const char *build = vl_place_text("build"); /* an installed tree has none */
    const bool builds = build[0] != '\0';
    enum vl_exit status = builds ? check_form(form) : VL_EXIT_OK;
    *path = NULL;
    if (builds && status == VL_EXIT_OK)
        status = build_in(build, form);
    *path = find(form);
    if (*path == NULL && status != VL_EXIT_OK)
        return status;
    if (*path == NULL)
        return vl_say(VL_EXIT_LACK,
                      _("This tree was installed without the book: build its target "
                        "`%s`, then install it again."),
                      form == VL_BOOK_SITE ? "book" : ending_of(form));
    if (status != VL_EXIT_OK)
        vl_say(VL_EXIT_OK, _("This is the book as it was built before."));
    return VL_EXIT_OK;
}
