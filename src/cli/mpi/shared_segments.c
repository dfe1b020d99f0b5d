#include "cli/mpi/shared_segments.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_of(const char *name, uint32_t job)
{
    char part[16];
    snprintf(part, sizeof part, ".%x.", job);
    return (strncmp(name, "vader_segment.", strlen("vader_segment.")) == 0 ||
            strncmp(name, "osc_", strlen("osc_")) == 0) &&
           strstr(name, part) != NULL;
}

void vl_shared_segments_remove(uint32_t job)
{
    DIR *entries = job != 0 ? opendir("/dev/shm") : NULL;
    struct dirent *entry;
    while (entries != NULL && (entry = readdir(entries)) != NULL)
        if (is_of(entry->d_name, job))
            unlinkat(dirfd(entries), entry->d_name, 0);
    if (entries != NULL)
        closedir(entries);
}
