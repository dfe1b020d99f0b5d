/*
 * Namespaces of one's own: where the kernel lets ordinary users have them, a user is root there and may
 * make networks, and nothing outside changes.
 *
 *   outside                    inside
 *   uid 1000                   uid 0, of this user's things only
 *   /run/netns                 empty, for the names that `ip netns` gives
 *   its network                none, until one is made
 *
 * They end with the last process in them.
 */
#ifndef VIALATA_CLI_HOSTS_OWN_NAMESPACES_H
#define VIALATA_CLI_HOSTS_OWN_NAMESPACES_H

#include <stdbool.h>

/* Take this process into them, for good; it must have one thread. False, with errno: this machine does
 * not let us. Files that are written afterwards belong to the user, as always. */
bool vl_own_namespaces_enter(void);

#endif
