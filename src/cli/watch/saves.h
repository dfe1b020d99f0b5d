/*
 * Whether a file in a folder may have been saved. An editor may write into the file, or make another and rename
 * it; on a network drive nobody tells, and then one has to look twice a second.
 */
#ifndef VIALATA_CLI_WATCH_SAVES_H
#define VIALATA_CLI_WATCH_SAVES_H

#include <stdbool.h>

struct vl_saves {
    int descriptor; /* readable when there is something to take; -1: look now and then */
    double looked;
};

/* 'polls': look at the files now and then, as also happens where the kernel reports no changes. Never fails. */
void vl_saves_open(struct vl_saves *saves, const char *folder, bool polls);

/* May something have been saved since the last time? */
bool vl_saves_take(struct vl_saves *saves);

void vl_saves_close(struct vl_saves *saves);

#endif
