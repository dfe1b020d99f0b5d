#include "cli/workspace/backup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

char *vl_backup_make(const char *own)
{
    char stamp[32], *path = NULL;
    time_t now = time(NULL);
    struct tm parts;
    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", localtime_r(&now, &parts));
    for (int i = 1; i < 100; i++) {
        char more[16] = "";
        if (i > 1)
            snprintf(more, sizeof more, "-%d", i);
        if (asprintf(&path, "%s/backup-%s%s", own, stamp, more) < 0)
            return NULL;
        if (mkdir(path, 0777) == 0)
            return path;
        free(path);
        if (errno != EEXIST)
            return NULL;
    }
    return NULL;
}
