/*
 * Keys, one at a time, from the terminal that a person sits at. Nothing is waited for where there is none, or a
 * simple one (TERM=dumb). The terminal is as before when it is closed, and while the program is suspended (Ctrl-Z).
 */
#ifndef VIALATA_CLI_WATCH_KEYS_H
#define VIALATA_CLI_WATCH_KEYS_H

#include <stdbool.h>
#include <termios.h>

struct vl_keys {
    bool open;
    struct termios before;
};

#define VL_KEY_NONE 0
#define VL_KEY_GONE -1 /* the terminal has vanished */

/* 'live': what is shown goes to a terminal, too. */
void vl_keys_open(struct vl_keys *keys, bool live);

/* Wait so long for a key, or until 'descriptor' can be read (-1: nothing else is waited for). */
int vl_keys_wait(struct vl_keys *keys, int descriptor, int milliseconds);

void vl_keys_close(struct vl_keys *keys);

#endif
