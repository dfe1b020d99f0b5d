#include "sandbox/numbers.h"

#include <stdio.h>
#include <unistd.h>

/* Process numbers end at 2^22: four users and a group for each. */
static const struct vl_numbers high = {0x78000000, 1ul << 24, 0x79000000, 1ul << 22};
static const struct vl_numbers low = {20000, 40000, 60000, 1000};

/* The highest number a user can have here: in a container not all of them exist. */
static unsigned long last_user(void)
{
    unsigned long last = 0, inside, outside, count;
    FILE *map = fopen("/proc/self/uid_map", "re");
    while (map != NULL && fscanf(map, "%lu %lu %lu", &inside, &outside, &count) == 3)
        if (count > 0 && inside + count - 1 > last)
            last = inside + count - 1;
    if (map != NULL)
        fclose(map);
    return last;
}

bool vl_numbers_find(struct vl_numbers *numbers)
{
    unsigned long last = last_user();
    *numbers = last >= high.groups + high.group_count ? high : low;
    return last >= numbers->groups + numbers->group_count;
}

gid_t vl_numbers_group(const struct vl_numbers *numbers)
{
    return (gid_t)(numbers->groups + (unsigned long)getpid() % numbers->group_count);
}
