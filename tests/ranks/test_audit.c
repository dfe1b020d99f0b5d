/*
 * The audit, on counts as the references give them: what MPI adds is allowed, and what a rank hides
 * or makes up is not.
 */
#include "ranks/audit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define HEADERS 52
#define SHORT   24 /* what the meter says MPI adds to a message, and to a long one */
#define LONG    VL_BOARD_MOST_ADDED

static const struct vl_audit_count before = {.bytes = 7682, .packets = 90, .segments = 90};

/* Four ranks, 'messages' each, of 'bytes' in all each; on the wire 'payload' in 'packets'. */
static struct vl_audit audit_of(uint64_t bytes, uint64_t messages, uint64_t payload,
                                uint64_t packets)
{
    static struct vl_board board;
    for (int rank = 0; rank < 4; rank++) {
        board.rank[rank].least_bytes = board.rank[rank].most_bytes = bytes;
        board.rank[rank].messages = messages;
        board.rank[rank].added_bytes =
            messages * (messages > 0 && bytes / messages < 4000 ? SHORT : LONG);
    }
    const struct vl_audit_count after = {.bytes = before.bytes + payload + HEADERS * packets,
                                         .packets = before.packets + packets,
                                         .segments = before.segments + packets};
    return vl_audit_of(&before, &after, &board, 4);
}

static enum vl_audit_finding found(struct vl_audit audit)
{
    return vl_audit_compare(&audit);
}

/* As measured: nothing sent; small messages; large ones; many of eight bytes. */
static void what_mpi_adds_is_allowed(void **unused)
{
    (void)unused;
    assert_int_equal(found(audit_of(0, 0, 724, 26)), VL_AUDIT_AGREES);
    assert_int_equal(found(audit_of(804, 3, 3216 + 600 + 12 * 22, 45)), VL_AUDIT_AGREES);
    assert_int_equal(found(audit_of(24864, 6, 99456 + 600 + 24 * 160, 147)), VL_AUDIT_AGREES);
    assert_int_equal(found(audit_of(586620, 6, 2346480 + 600 + 24 * 160, 203)), VL_AUDIT_AGREES);
    assert_int_equal(found(audit_of(8000, 1000, 32000 + 600 + 4000 * 22, 6000)), VL_AUDIT_AGREES);
}

static void data_past_the_meter_is_seen(void **unused)
{
    (void)unused;
    assert_int_equal(found(audit_of(0, 0, 2000, 40)), VL_AUDIT_UNMETERED);
    assert_int_equal(found(audit_of(804, 3, 3216 + 600 + 12 * 22 + 1500, 60)), VL_AUDIT_UNMETERED);
    assert_int_equal(found(audit_of(586620, 6, 2420000, 203)), VL_AUDIT_UNMETERED);
}

/* Sixty-four bytes go past MPI for each message that carries none. */
static void messages_without_data_hide_nothing(void **unused)
{
    (void)unused;
    assert_int_equal(found(audit_of(0, 1000, 4000 * 22, 5000)), VL_AUDIT_AGREES);
    assert_int_equal(found(audit_of(0, 1000, 4000 * (22 + 64), 5000)), VL_AUDIT_UNMETERED);
}

/* As seen on a busy machine; but what is sent again is part of what is sent. */
static void what_tcp_repeats_is_allowed(void **unused)
{
    (void)unused;
    struct vl_audit audit = audit_of(524288, 1, 2142562, 96);
    assert_int_equal(found(audit), VL_AUDIT_UNMETERED);
    audit.count.repeats = 1;
    assert_int_equal(found(audit), VL_AUDIT_AGREES);
    audit.count.repeats = 1000;
    audit.count.bytes *= 2;
    assert_int_equal(found(audit), VL_AUDIT_UNMETERED);
}

/* Forty segments of a byte each are forty bytes. */
static void what_tcp_repeats_may_be_known_exactly(void **unused)
{
    (void)unused;
    struct vl_audit audit = audit_of(524288, 1, 2142562, 96);
    audit.count.repeats = 40;
    audit.count.exact = true;
    audit.count.again = 40;
    assert_int_equal(found(audit), VL_AUDIT_UNMETERED);
    audit.count.again = 46000;
    assert_int_equal(found(audit), VL_AUDIT_AGREES);
    audit.count.bytes += 2000000; /* all of it, on a very busy machine */
    audit.count.again += 2000000;
    assert_int_equal(found(audit), VL_AUDIT_AGREES);
}

/* Data that reaches nobody can be sent again any number of times: it excuses as much as was sent. */
static void what_tcp_repeats_makes_no_more_room_than_what_is_sent(void **unused)
{
    (void)unused;
    struct vl_audit audit = audit_of(8000, 6, 2 * (32000 + 24 * 22), 100);
    audit.count.exact = true;
    audit.count.again = 32000 + 24 * 22;
    assert_int_equal(found(audit), VL_AUDIT_AGREES);
    audit.count.bytes += 40000;
    audit.count.again += 1 << 20;
    assert_int_equal(found(audit), VL_AUDIT_UNMETERED);
    audit = audit_of((uint64_t)1 << 40, 6, 100000, 100);
    audit.least = 0;
    audit.count.exact = true;
    audit.count.again = 1 << 20;
    assert_int_equal(found(audit), VL_AUDIT_AGREES);
    assert_int_equal(found(vl_audit_with_truth(&audit, 32000, 24)), VL_AUDIT_UNMETERED);
}

/* Where nothing is sent, MPI's own first messages may still be sent again. */
static void what_tcp_repeats_may_be_a_little(void **unused)
{
    (void)unused;
    struct vl_audit audit = audit_of(0, 0, 724 + 3000, 40);
    audit.count.exact = true;
    audit.count.again = 3000;
    assert_int_equal(found(audit), VL_AUDIT_AGREES);
    audit.count.bytes += 20000;
    audit.count.again += 20000;
    assert_int_equal(found(audit), VL_AUDIT_UNMETERED);
}

/* A connection that was closed takes its bytes along. */
static void what_is_forgotten_makes_no_room(void **unused)
{
    (void)unused;
    static const struct vl_board board;
    const struct vl_audit_count first = {.again = 5000, .exact = true},
                                then = {.again = 4000, .exact = true};
    assert_int_equal(vl_audit_of(&first, &then, &board, 2).count.again, 0);
    assert_int_equal(vl_audit_of(&then, &first, &board, 2).count.again, 1000);
    assert_true(vl_audit_of(&then, &first, &board, 2).count.exact);
    assert_false(vl_audit_of(&before, &first, &board, 2).count.exact);
}

/* Where the truth says how much is right, the meters' own bounds do not help. */
static void the_truth_comes_before_the_meter(void **unused)
{
    (void)unused;
    struct vl_audit audit = audit_of((uint64_t)1 << 40, 3, 10200, 60);
    audit.least = 3216;
    assert_int_equal(audit.added, 12 * LONG);
    assert_int_equal(found(audit), VL_AUDIT_AGREES);
    assert_int_equal(found(vl_audit_with_truth(&audit, 3216, -1)), VL_AUDIT_UNMETERED);
    assert_int_equal(found(vl_audit_with_truth(&audit, 8000, -1)), VL_AUDIT_AGREES);
    assert_int_equal(found(vl_audit_with_truth(&audit, 8000, 4)), VL_AUDIT_AGREES);
    assert_int_equal(found(vl_audit_with_truth(&audit, 8000, 0)), VL_AUDIT_UNMETERED);
}

/* A rank may claim any number of messages, and that all are long: the truth knows better. */
static void the_truth_bounds_what_mpi_adds(void **unused)
{
    (void)unused;
    struct vl_audit audit = audit_of((uint64_t)1 << 40, 1000, 3552 + 4000 * 144, 8000);
    audit.least = 0;
    assert_int_equal(found(audit), VL_AUDIT_AGREES);
    assert_int_equal(found(vl_audit_with_truth(&audit, 3552, 24)), VL_AUDIT_UNMETERED);
    assert_int_equal(vl_audit_with_truth(&audit, 3552, 24).added, 24 * 92);
    assert_int_equal(vl_audit_with_truth(&audit, 8000, 24).added, 25 * 92 + 2 * LONG);
}

/* Fewer messages are enough, but a student may cut the data as they like. */
static void small_pieces_are_no_crime(void **unused)
{
    (void)unused;
    struct vl_audit audit = audit_of(1 << 18, 256, 4 * ((1 << 18) + 256 * 22), 4 * 256);
    assert_int_equal(found(vl_audit_with_truth(&audit, 1 << 20, 28)), VL_AUDIT_AGREES);
}

static void bytes_that_never_left_are_seen(void **unused)
{
    (void)unused;
    assert_int_equal(found(audit_of(804, 3, 236, 26)), VL_AUDIT_UNSENT);
    struct vl_audit silent = audit_of((uint64_t)1 << 40, 24, 1000, 60); /* claims what may be */
    silent.least = 0;
    assert_int_equal(found(silent), VL_AUDIT_AGREES);
    assert_int_equal(found(vl_audit_with_truth(&silent, 32000, 24)), VL_AUDIT_UNSENT);
    struct vl_audit ended = audit_of(0, 0, 0, 0);
    ended.counted = false;
    assert_int_equal(found(ended), VL_AUDIT_UNSENT);
}

/* More messages than packets are made up, and so is more than MPI ever adds to one. */
static void messages_need_packets(void **unused)
{
    (void)unused;
    assert_int_equal(found(audit_of(0, 1000000, 8000, 30)), VL_AUDIT_UNMETERED);
    assert_int_equal(found(audit_of(0, UINT64_MAX, 8000, 30)), VL_AUDIT_UNMETERED);
    assert_int_equal(audit_of(0, 1000000, 8000, 30).added, 30 * LONG);
}

/* Ten thousand packets of a few bytes are not ten thousand headers. */
static void many_small_packets_hide_nothing(void **unused)
{
    (void)unused;
    assert_int_equal(found(audit_of(0, 0, 0, 10000)), VL_AUDIT_UNMETERED);
}

/* The header of another protocol's packet is shorter than TCP's: none of it is taken off. */
static void datagrams_have_no_headers_to_hide_in(void **unused)
{
    (void)unused;
    struct vl_audit audit = audit_of(0, 0, 600, 100);
    assert_int_equal(found(audit), VL_AUDIT_AGREES);
    audit.count.segments = 26;
    assert_int_equal(vl_audit_payload(&audit), 600 + 74 * HEADERS);
    assert_int_equal(found(audit), VL_AUDIT_UNMETERED);
}

static void absurd_claims_do_not_wrap_around(void **unused)
{
    (void)unused;
    struct vl_audit audit = audit_of(UINT64_MAX, 0, 236, 26);
    assert_true(audit.most >= (uint64_t)1 << 48);
    assert_int_equal(found(audit), VL_AUDIT_UNSENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_mpi_adds_is_allowed),
        cmocka_unit_test(data_past_the_meter_is_seen),
        cmocka_unit_test(messages_without_data_hide_nothing),
        cmocka_unit_test(what_tcp_repeats_is_allowed),
        cmocka_unit_test(what_tcp_repeats_may_be_known_exactly),
        cmocka_unit_test(what_tcp_repeats_makes_no_more_room_than_what_is_sent),
        cmocka_unit_test(what_tcp_repeats_may_be_a_little),
        cmocka_unit_test(what_is_forgotten_makes_no_room),
        cmocka_unit_test(the_truth_comes_before_the_meter),
        cmocka_unit_test(the_truth_bounds_what_mpi_adds),
        cmocka_unit_test(small_pieces_are_no_crime),
        cmocka_unit_test(bytes_that_never_left_are_seen),
        cmocka_unit_test(messages_need_packets),
        cmocka_unit_test(many_small_packets_hide_nothing),
        cmocka_unit_test(datagrams_have_no_headers_to_hide_in),
        cmocka_unit_test(absurd_claims_do_not_wrap_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
