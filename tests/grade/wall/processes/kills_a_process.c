/* open: user */
#include <signal.h>

static int kills_a_process(void)
{
    FILE *cmdline = fopen("/proc/@VICTIM@/cmdline", "r");
    int is_it = cmdline != NULL && fgetc(cmdline) == 'V'; /* another one of that number is spared */
    if (cmdline != NULL)
        fclose(cmdline);
    return is_it && kill(VICTIM, SIGKILL) == 0;
}
