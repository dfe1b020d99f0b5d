#include "cli/shared/pager.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void vl_pager_show(const char *text)
{
    const char *pager = getenv("PAGER");
    if (pager == NULL || pager[0] == '\0')
        pager = "if command -v less >/dev/null; then exec less -R; "
                "elif command -v more >/dev/null; then exec more; else exec cat; fi";
    fflush(stdout);
    setenv("LESSCHARSET", "utf-8", 0); /* there may be no locale that says so */
    /* The person may leave the pager before the end of the text. */
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    FILE *pipe = isatty(STDOUT_FILENO) ? popen(pager, "w") : NULL;
    if (pipe != NULL) {
        fputs(text, pipe);
        pclose(pipe);
    } else {
        fputs(text, stdout);
    }
    fflush(stdout);
    signal(SIGPIPE, before);
}
