/*
 * For tests of how a hang is explained: made-up beacons, as the wrappers would write them, and
 * checks of what is found in them. Include it after cmocka.
 */
#ifndef VIALATA_TESTS_GRADE_BEACONS_H
#define VIALATA_TESTS_GRADE_BEACONS_H

#include "ranks/hang/hang.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 8

static struct vl_beacon beacon[MOST];
static const char *now[MOST];
static struct vl_finding found;
static bool program; /* whole programs are watched */

/* Address 41 is line 41; those above 1000 are not the submission's. */
static inline char *find_line(void *context, uint64_t address)
{
    char *text = NULL;
    (void)context;
    if (address == 0 || address > 1000 ||
        asprintf(&text, "ring.c:%llu", (unsigned long long)address) < 0)
        return NULL;
    return text;
}

static inline int set_up(void **state)
{
    (void)state;
    memset(beacon, 0, sizeof beacon);
    memset(now, 0, sizeof now);
    program = false;
    for (int rank = 0; rank < MOST; rank++)
        beacon[rank].phase = VL_PHASE_INSIDE;
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    vl_finding_free(&found);
    return 0;
}

static inline void look(int ranks, int finished, int synchronous)
{
    const struct vl_beacon *all[MOST];
    const struct vl_hang_places places = {.now = now, .find = find_line, .program = program};
    for (int rank = 0; rank < ranks; rank++)
        all[rank] = &beacon[rank];
    vl_finding_free(&found);
    assert_int_equal(vl_hang_find(&found, all, &places, ranks, finished, synchronous), VL_OK);
}

static inline int certain(int ranks, int synchronous)
{
    const struct vl_beacon *all[MOST];
    for (int rank = 0; rank < ranks; rank++)
        all[rank] = &beacon[rank];
    return vl_hang_is_certain(all, ranks, synchronous);
}

static inline bool misfit(int ranks)
{
    const struct vl_beacon *all[MOST];
    for (int rank = 0; rank < ranks; rank++)
        all[rank] = &beacon[rank];
    return vl_hang_is_misfit(all, ranks);
}

static inline void says(const char *words)
{
    assert_non_null(found.message);
    if (strstr(found.message, words) == NULL)
        fail_msg("no `%s` in: %s", words, found.message);
}

static inline void details(const char *words)
{
    assert_non_null(found.detail);
    if (strstr(found.detail, words) == NULL)
        fail_msg("no `%s` in: %s", words, found.detail);
}

static inline void is(const char *code)
{
    assert_non_null(found.code);
    assert_string_equal(found.code, code);
}

/* ---- what the wrappers would have written ---- */

static inline struct vl_beacon_call call(uint32_t operation, int peer, int tag, uint64_t line)
{
    return (struct vl_beacon_call){.operation = operation,
                                   .peer = peer,
                                   .tag = tag,
                                   .root = VL_BEACON_NONE,
                                   .type_bytes = 4,
                                   .count = 10,
                                   .address = line};
}

static inline struct vl_beacon_channel *channel(int rank, int peer, int tag)
{
    struct vl_beacon *b = &beacon[rank];
    for (uint32_t i = 0; i < b->channels_used; i++)
        if (b->channel[i].peer == peer && b->channel[i].tag == tag)
            return &b->channel[i];
    b->channel[b->channels_used] = (struct vl_beacon_channel){.peer = peer, .tag = tag};
    return &b->channel[b->channels_used++];
}

/* The rank has sent; nobody has received it yet. */
static inline void sent(int rank, int to, int tag)
{
    channel(rank, to, tag)->sent++;
    channel(rank, to, tag)->sent_bytes += 40;
}

static inline void received(int rank, int from, int tag)
{
    channel(rank, from, tag)->received++;
    channel(rank, from, tag)->received_bytes += 40;
}

static inline void in_receive(int rank, int from, int tag, uint64_t line)
{
    beacon[rank].call = call(VL_OP_RECV, from, tag, line);
}

static inline void in_send(int rank, int to, int tag, uint64_t line)
{
    beacon[rank].call = call(VL_OP_SEND, to, tag, line);
    sent(rank, to, tag);
}

static inline struct vl_beacon_call *collective(int rank, uint32_t operation, uint64_t line)
{
    struct vl_beacon *b = &beacon[rank];
    struct vl_beacon_call *at = &b->collective[b->collectives_seen++ % VL_BEACON_COLLECTIVES];
    *at = call(operation, VL_BEACON_NONE, VL_BEACON_NONE, line);
    return at;
}

/* As the wrappers write it today: counted, on MPI_COMM_WORLD. */
static inline struct vl_beacon_call *numbered(int rank, uint32_t operation, uint64_t line)
{
    struct vl_beacon_call *at = collective(rank, operation, line);
    at->number = ++beacon[rank].counted[0].count;
    return at;
}

static inline void in_barrier(int rank, uint64_t line)
{
    beacon[rank].call = *collective(rank, VL_OP_BARRIER, line);
}

static inline void posted(int rank, int place, uint32_t operation, int peer, int tag, uint64_t line)
{
    beacon[rank].request[place] = call(operation, peer, tag, line);
    beacon[rank].requests_open++;
    if (operation == VL_OP_ISEND)
        sent(rank, peer, tag);
}

static inline void in_wait(int rank, uint32_t operation, int place, uint64_t line)
{
    beacon[rank].call = beacon[rank].request[place];
    beacon[rank].call.operation = operation;
    beacon[rank].call.address = line;
}

static inline void returned(int rank)
{
    beacon[rank].phase = VL_PHASE_RETURNED;
}

static inline void finalized(int rank)
{
    returned(rank);
    beacon[rank].status = VL_BEACON_FINALIZED;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
