/* code: exited_early crashed_signal crashed_segfault no_output hung unwritten */
#include "../attack.h"

/* Runs the runner once more, with a library of its own before all others. */
ATTACK
{
    char command[4096];
    size_t length = 0, used;
    char *words[8] = {NULL};
    FILE *file = fopen("/proc/self/cmdline", "r");
    used = fread(command, 1, sizeof command - 1, file);
    command[used] = '\0';
    for (int i = 0; i < 7 && length < used; i++) {
        words[i] = command + length;
        length += strlen(command + length) + 1;
    }
    setenv("LD_PRELOAD", "./own.so", 1);
    execv("/proc/self/exe", words);
    return VL_OK;
}
