/*
 * The machines that a handout works on: those like this one.
 *
 *   system=debian 13               ID and VERSION_ID of /etc/os-release
 *   machine=x86_64                 as uname has it
 *   processor=avx avx2 fma         what labs were compiled for, as /proc/cpuinfo calls it
 *
 * The entrance of the handout compares these lines with the machine that it is on.
 */
#ifndef VIALATA_CLASS_HANDOUT_MADE_FOR_H
#define VIALATA_CLASS_HANDOUT_MADE_FOR_H

struct vl_made_for {
    char system[128];
    char machine[80];
    char *processor; /* between blanks; freed with vl_made_for_free */
};

/* This machine and this build. False without memory. */
int vl_made_for_here(struct vl_made_for *made_for);
void vl_made_for_free(struct vl_made_for *made_for);

#endif
