#include "base/text.h"
#include "cli/book/build.h"
#include "cli/book/serve.h"
#include "cli/shared/arguments.h"
#include "cli/shared/say.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool has_display(void)
{
    return getenv("DISPLAY") != NULL || getenv("WAYLAND_DISPLAY") != NULL;
}

/* A site opens in a browser, and a file with whatever this computer reads it with. */
static void open_it(const char *path)
{
    const char *const words[] = {"xdg-open", path, NULL};
    if (vl_book_call(words, STDERR_FILENO) != 0)
        vl_say(VL_EXIT_OK, _("No browser could be opened: open the page above yourself."));
}

static int run(const struct vl_arguments *arguments)
{
    const bool epub = vl_argument(arguments, "epub") != NULL;
    const bool pdf = vl_argument(arguments, "pdf") != NULL;
    const bool serve = vl_argument(arguments, "serve") != NULL;
    char *path = NULL;
    if (epub + pdf + serve > 1)
        return vl_say(VL_EXIT_USAGE, _("`--epub`, `--pdf` and `--serve` each say what is made of "
                                       "the book: choose one of them."));
    enum vl_exit status = vl_book_make(&path, epub  ? VL_BOOK_EPUB
                                              : pdf ? VL_BOOK_PDF
                                                    : VL_BOOK_SITE);
    if (path != NULL && serve)
        status = vl_book_serve(path);
    else if (path != NULL) {
        printf("%s\n", path);
        if (vl_argument(arguments, "no-open") == NULL && has_display())
            open_it(path);
    }
    free(path);
    return (int)status;
}

static const struct vl_flag flags[] = {
    {"epub", NULL, N_("make one file of it, for a reading device")},
    {"pdf", NULL, N_("make one file of it, for paper")},
    {"serve", NULL,
     N_("show it at an address of this computer, for a browser that opens no files")},
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
