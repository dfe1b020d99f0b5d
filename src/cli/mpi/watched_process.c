#include "cli/mpi/watched_process.h"

#include "wire/watched.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS 1000 /* of killing; what was killed may take a moment to go */

static bool is_of(pid_t process, const char *folder)
{
    char path[64], *variable = NULL;
    size_t size = 0;
    bool found = false;
    snprintf(path, sizeof path, "/proc/%d/environ", (int)process);
    FILE *stream = fopen(path, "re");
    while (stream != NULL && !found && getdelim(&variable, &size, '\0', stream) > 0)
        found = strncmp(variable, VL_WATCHED_FOLDER "=", sizeof VL_WATCHED_FOLDER) == 0 &&
                strcmp(variable + sizeof VL_WATCHED_FOLDER, folder) == 0;
    if (stream != NULL)
        fclose(stream);
    free(variable);
    return found;
}

bool vl_watched_process_is_gone(pid_t process)
{
    char path[64], text[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *stream = fopen(path, "re");
    if (stream == NULL)
        return true;
    size_t length = fread(text, 1, sizeof text - 1, stream);
    fclose(stream);
    text[length] = '\0';
    const char *after = strrchr(text, ')'); /* of its name, which may be anything */
    return after == NULL || after[1] == '\0' || strchr("ZX", after[2]) != NULL;
}

int vl_watched_process_threads(pid_t process)
{
    char path[64], line[256];
    int threads = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    FILE *stream = fopen(path, "re");
    while (stream != NULL && threads == 0 && fgets(line, sizeof line, stream) != NULL)
        sscanf(line, "Threads: %d", &threads);
    if (stream != NULL)
        fclose(stream);
    return threads;
}

/* Send 'signal' to those of the folder, unless it is 0. Returns how many there were. */
static int visit_all(const char *folder, int signal)
{
    DIR *entries = opendir("/proc");
    struct dirent *entry;
    int found = 0;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        pid_t process = (pid_t)atoi(entry->d_name);
        if (process > 0 && is_of(process, folder)) {
            found++;
            kill(process, signal);
        }
    }
    if (entries != NULL)
        closedir(entries);
    return found;
}

bool vl_watched_process_is_any_of(const char *folder)
{
    return visit_all(folder, 0) > 0;
}

void vl_watched_process_stop_all(const char *folder)
{
    visit_all(folder, SIGSTOP);
}

void vl_watched_process_end_all(const char *folder)
{
    visit_all(folder, SIGTERM);
    visit_all(folder, SIGCONT);
}

void vl_watched_process_kill_all(const char *folder)
{
    for (int round = 0; round < ROUNDS && visit_all(folder, SIGKILL) > 0; round++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}
