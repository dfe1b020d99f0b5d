/*
 * Numbers of users and groups that nobody has, for root to run and hide things with.
 *
 * They lie above what is given to people, to their containers (/etc/subuid) and to directories such as
 * LDAP's: whoever may become the user that a submission runs as could answer for it. In a container whose
 * numbers end early they are lower.
 */
#ifndef VIALATA_SANDBOX_NUMBERS_H
#define VIALATA_SANDBOX_NUMBERS_H

#include <stdbool.h>
#include <sys/types.h>

struct vl_numbers {
    unsigned long users, user_count; /* the first, and how many */
    unsigned long groups, group_count;
};

/* False if there are none here. */
bool vl_numbers_find(struct vl_numbers *numbers);

/* The group of this process, which it shares with no other where the numbers do not end early. */
gid_t vl_numbers_group(const struct vl_numbers *numbers);

#endif
