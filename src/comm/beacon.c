#include "comm/beacon.h"

#include "comm/strict.h"
#include <string.h>

static struct vl_beacon private_beacon;
static struct vl_beacon *mine = &private_beacon;
static int looks_twice, waits_for_receives;
static uint32_t case_number = 1;

void (*vl_beacon_on_error)(void);
void (*vl_beacon_before_init)(void);
void (*vl_beacon_on_init)(void);

void vl_beacon_use(struct vl_beacon *beacon)
{
    mine = beacon != NULL ? beacon : &private_beacon;
    memset(mine, 0, sizeof *mine);
    case_number += case_number == UINT32_MAX ? 2 : 1;
}

struct vl_beacon *vl_beacon_mine(void)
{
    return mine;
}

void vl_beacon_note_unwatched(uint32_t kind)
{
    if ((__atomic_load_n(&mine->unwatched, __ATOMIC_RELAXED) & kind) == 0)
        __atomic_fetch_or(&mine->unwatched, kind, __ATOMIC_RELAXED);
}

void vl_beacon_begin(int strict, int synchronous)
{
    memset(mine, 0, sizeof *mine);
    case_number += case_number == UINT32_MAX ? 2 : 1;
    looks_twice = strict;
    waits_for_receives = synchronous;
    __atomic_store_n(&mine->phase, VL_PHASE_INSIDE, __ATOMIC_RELEASE);
}

void vl_beacon_end(int32_t status)
{
    mine->status = status;
    looks_twice = waits_for_receives = 0;
    __atomic_store_n(&mine->phase, VL_PHASE_RETURNED, __ATOMIC_RELEASE);
}

int vl_strict_looks_twice(void)
{
    return looks_twice;
}

int vl_strict_waits(void)
{
    return waits_for_receives;
}

uint32_t vl_case_number(void)
{
    return case_number;
}
