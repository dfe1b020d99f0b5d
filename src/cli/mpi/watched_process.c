#include "cli/mpi/watched_process.h"

#include "wire/watched.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool vl_watched_process_is_of(pid_t process, const char *folder)
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

bool vl_watched_process_is_any_of(const char *folder)
{
    DIR *entries = opendir("/proc");
    struct dirent *entry;
    bool found = false;
    while (entries != NULL && !found && (entry = readdir(entries)) != NULL)
        found = atoi(entry->d_name) > 0 && vl_watched_process_is_of(atoi(entry->d_name), folder);
    if (entries != NULL)
        closedir(entries);
    return found;
}
