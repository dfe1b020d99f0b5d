/*
 * Communicators as the wrappers know them: a number that is the same on all members, and the world
 * rank of each member.
 *
 * Finding the number of a derived communicator needs no message: all members know the parent's
 * number, how many were made from the parent before, and which world rank is first in the new one.
 * With a chance of one in four billion two communicators get the same number; then a diagnosis may
 * be wrong, but never a result.
 */
#include "comm/intercept/watch.h"

#include <stdlib.h>

#define CACHED   16
#define PROMISED 16
#define CHILD    0x57696eu /* of a communicator, and no communicator itself */

static struct vl_known world = {.holders = 1};
static struct vl_known *newest; /* derived ones, linked by age */
static struct {
    MPI_Comm handle;
    struct vl_known *known;
} cache[CACHED];
static int key = MPI_KEYVAL_INVALID;

/* Communicators that MPI_Comm_idup has begun to make: one can be looked at only once it is there. */
static struct promise {
    MPI_Comm handle; /* NULL: none */
    uint32_t parent, mark, case_number;
    struct vl_beacon_call call;
} promised[PROMISED];

static uint32_t mix(uint32_t a, uint32_t b)
{
    uint64_t x = ((uint64_t)a << 32 | b) + 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    uint32_t number = (uint32_t)(x ^ x >> 31);
    return number != 0 ? number : 1; /* 0 is the world */
}

static size_t cache_place(MPI_Comm comm)
{
    return (size_t)((uintptr_t)comm >> 7) % CACHED;
}

void vl_known_hold(struct vl_known *known)
{
    if (known != NULL)
        known->holders++;
}

void vl_known_drop(struct vl_known *known)
{
    if (known == NULL || --known->holders > 0)
        return;
    free(known->world);
    free(known);
}

/* Write into the beacon how many are open, and which is the latest. */
static void show_open(void)
{
    struct vl_beacon *beacon = vl_beacon_mine();
    uint32_t open = 0;
    for (struct vl_known *known = newest; known != NULL; known = known->older) {
        if (known->case_number != vl_case_number())
            continue;
        if (open++ == 0)
            beacon->opened_call = known->opened;
    }
    beacon->communicators_open = open;
    if (open == 0)
        beacon->opened_call = (struct vl_beacon_call){.operation = VL_OP_NONE};
}

/* MPI calls this when the communicator is freed, by whatever call. */
static int gone(MPI_Comm comm, int keyval, void *attribute, void *extra)
{
    (void)keyval;
    (void)extra;
    struct vl_known *known = attribute;
    if (!vl_thread_is_watched())
        return MPI_SUCCESS; /* what is known of it stays in memory */
    if (cache[cache_place(comm)].handle == comm)
        cache[cache_place(comm)].known = NULL;
    if (known->newer != NULL)
        known->newer->older = known->older;
    else
        newest = known->older;
    if (known->older != NULL)
        known->older->newer = known->newer;
    if (known->case_number == vl_case_number())
        show_open();
    vl_known_drop(known);
    return MPI_SUCCESS;
}

/* World ranks of all ranks that one can send to; VL_BEACON_ELSEWHERE for those of other programs. */
static int *peers(MPI_Comm comm, int size, int inter)
{
    MPI_Group here, everybody;
    int *ranks = malloc(2 * (size_t)size * sizeof *ranks);
    if (ranks == NULL)
        return NULL;
    if (inter)
        PMPI_Comm_remote_group(comm, &here);
    else
        PMPI_Comm_group(comm, &here);
    PMPI_Comm_group(MPI_COMM_WORLD, &everybody);
    for (int i = 0; i < size; i++)
        ranks[size + i] = i;
    PMPI_Group_translate_ranks(here, size, ranks + size, everybody, ranks);
    for (int i = 0; i < size; i++)
        if (ranks[i] == MPI_UNDEFINED)
            ranks[i] = VL_BEACON_ELSEWHERE;
    PMPI_Group_free(&here);
    PMPI_Group_free(&everybody);
    return ranks;
}

/* 0 if one of them has no bit: an incomplete list would be worse than none. */
static uint32_t members_of(const struct vl_known *known)
{
    uint32_t members = 0;
    for (int i = 0; i < known->size; i++) {
        int rank = known->world != NULL ? known->world[i] : i;
        if (rank < 0 || rank >= 32)
            return 0;
        members |= (uint32_t)1 << rank;
    }
    return members;
}

/* The members, so that both sides of an intercommunicator have the same. */
static uint32_t meaning(MPI_Comm made, const struct vl_known *known)
{
    uint32_t own = 0, other = 0;
    int size = 0;
    for (int i = 0; i < known->size; i++)
        own = mix(own, (uint32_t)known->world[i] + 1);
    if (!known->inter)
        return own;
    PMPI_Comm_size(made, &size);
    int *local = peers(made, size, 0);
    for (int i = 0; i < size && local != NULL; i++)
        other = mix(other, (uint32_t)local[i] + 1);
    free(local);
    return own ^ other;
}

static void name(struct vl_known *known, uint32_t parent, uint32_t mark,
                 const struct vl_beacon_call *call, uint32_t case_number)
{
    known->number = mix(mix(parent, mark), meaning(known->handle, known));
    known->guessed = false;
    known->case_number = case_number;
    known->opened = *call;
    show_open();
}

static void keep_promise(struct vl_known *known)
{
    for (size_t i = 0; i < PROMISED; i++) {
        if (promised[i].handle != known->handle)
            continue;
        name(known, promised[i].parent, promised[i].mark, &promised[i].call,
             promised[i].case_number);
        promised[i].handle = NULL;
        return;
    }
}

void vl_known_promised(MPI_Comm made, struct vl_known *parent, const struct vl_beacon_call *call)
{
    static size_t next;
    if (parent == NULL || !vl_thread_is_watched())
        return;
    promised[next++ % PROMISED] = (struct promise){.handle = made,
                                                   .parent = parent->number,
                                                   .mark = parent->children++,
                                                   .case_number = vl_case_number(),
                                                   .call = *call};
}

static struct vl_known *meet(MPI_Comm comm)
{
    int inter = 0;
    struct vl_known *known = calloc(1, sizeof *known);
    if (known == NULL)
        return NULL;
    if (key == MPI_KEYVAL_INVALID)
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, gone, &key, NULL);
    PMPI_Comm_test_inter(comm, &inter);
    if (inter)
        PMPI_Comm_remote_size(comm, &known->size);
    else
        PMPI_Comm_size(comm, &known->size);
    PMPI_Comm_rank(comm, &known->rank);
    known->world = peers(comm, known->size, inter);
    if (known->world == NULL) {
        free(known);
        return NULL;
    }
    known->inter = inter != 0;
    known->members = inter ? 0 : members_of(known);
    known->handle = comm;
    known->holders = 1;
    for (int i = 0; i < known->size; i++)
        known->beyond |= known->world[i] == VL_BEACON_ELSEWHERE;
    /* Until vl_known_made names its parent. */
    known->number = meaning(comm, known);
    known->guessed = true;
    known->older = newest;
    if (newest != NULL)
        newest->newer = known;
    newest = known;
    PMPI_Comm_set_attr(comm, key, known);
    keep_promise(known);
    return known;
}

static struct vl_known *look_up(MPI_Comm comm)
{
    int found = 0;
    struct vl_known *known = NULL;
    if (key != MPI_KEYVAL_INVALID)
        PMPI_Comm_get_attr(comm, key, &known, &found);
    if (!found)
        known = meet(comm);
    cache[cache_place(comm)].handle = comm;
    cache[cache_place(comm)].known = known;
    return known;
}

struct vl_known *vl_known(MPI_Comm comm)
{
    if (!vl_thread_is_watched())
        return NULL;
    if (comm == MPI_COMM_WORLD) {
        if (world.size == 0) {
            world.handle = comm;
            PMPI_Comm_size(comm, &world.size);
            PMPI_Comm_rank(comm, &world.rank);
            world.members = members_of(&world);
        }
        return &world;
    }
    if (comm == MPI_COMM_NULL)
        return NULL;
    size_t place = cache_place(comm);
    if (cache[place].handle == comm && cache[place].known != NULL)
        return cache[place].known;
    return look_up(comm);
}

void vl_known_made(MPI_Comm made, uint32_t parent, uint32_t mark, const struct vl_beacon_call *call)
{
    struct vl_known *known = vl_known(made);
    if (known == NULL)
        return;
    name(known, parent, mark, call, vl_case_number());
}

uint32_t vl_known_child(struct vl_known *parent)
{
    return mix(mix(parent->number, parent->children++), CHILD);
}

int32_t vl_known_peer(const struct vl_known *known, int rank)
{
    if (rank == MPI_ANY_SOURCE)
        return known != NULL && known->beyond ? VL_BEACON_ELSEWHERE : VL_BEACON_ANY;
    if (rank == MPI_PROC_NULL)
        return VL_BEACON_NONE;
    if (known == NULL || known->world == NULL || rank < 0 || rank >= known->size)
        return rank;
    return known->world[rank];
}
