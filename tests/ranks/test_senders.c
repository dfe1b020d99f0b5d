/* From where bytes were sent, in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "beacons.h"
#include "ranks/senders.h"

static void sends(int rank, uint64_t line, uint32_t contract, uint64_t contract_line,
                  uint64_t bytes)
{
    beacon[rank].sender[beacon[rank].senders_used++] = (struct vl_beacon_sender){
        call(VL_OP_ISEND, 1, 5, line), call(contract, VL_BEACON_NONE, 5, contract_line), bytes};
}

/* 'said' NULL: nothing is known. */
static void expect(int ranks, const char *said)
{
    const struct vl_beacon *all[MOST];
    const struct vl_hang_places places = {.find = find_line};
    char *sentence;
    for (int rank = 0; rank < ranks; rank++)
        all[rank] = &beacon[rank];
    assert_int_equal(vl_senders_say(&sentence, all, ranks, &places), VL_OK);
    if (said == NULL)
        assert_null(sentence);
    else
        assert_string_equal(sentence, said);
    free(sentence);
}

static void what_all_ranks_send_from_a_place_is_added_up(void **state)
{
    (void)state;
    sends(0, 2000, VL_OP_VL_ALL_GATHER, 3000, 0); /* nothing is the submission's */
    expect(2, NULL);
    beacon[0].senders_used = 0;
    sends(0, 30, VL_OP_NONE, 0, 512);
    sends(1, 30, VL_OP_NONE, 0, 512);
    expect(2, "All of them are sent by MPI_Isend (ring.c:30).");
    sends(1, 41, VL_OP_NONE, 0, 4096);
    expect(2, "Bytes by the call that sends them: MPI_Isend (ring.c:41) 4096, MPI_Isend "
              "(ring.c:30) 1024.");
}

static void a_contract_counts_where_the_submission_calls_it(void **state)
{
    (void)state;
    sends(0, 2000, VL_OP_VL_ALL_REDUCE, 57, 100); /* inside, the course's own */
    sends(0, 30, VL_OP_VL_ALL_REDUCE, 57, 11);    /* inside, the submission's own */
    expect(1, "All of them are sent by vl_all_reduce_start (ring.c:57).");
    sends(0, 30, VL_OP_VL_ALL_GATHER, 3000, 7); /* called by the grader */
    expect(1, "Bytes by the call that sends them: vl_all_reduce_start (ring.c:57) 111, MPI_Isend "
              "(ring.c:30) 7.");
    sends(0, 2000, VL_OP_VL_ALL_GATHER, 3000, 500); /* nothing of it is the submission's */
    expect(1, "Bytes by the call that sends them: vl_all_gather_start 500, vl_all_reduce_start "
              "(ring.c:57) 111, MPI_Isend (ring.c:30) 7.");
}

static void nonsense_in_a_beacon_is_survived(void **state)
{
    (void)state;
    beacon[0].senders_used = UINT32_MAX;
    for (int i = 0; i < VL_BEACON_SENDERS; i++) {
        beacon[0].sender[i].call = call(UINT32_MAX, 1, 5, 10 + (uint64_t)i);
        beacon[0].sender[i].bytes = UINT64_MAX;
    }
    beacon[1].senders_used = 1;
    beacon[1].sender[0] =
        (struct vl_beacon_sender){.call = call(VL_OP_SEND, 0, 1, 900), .bytes = 1};
    const struct vl_beacon *all[] = {&beacon[0], &beacon[1]};
    const struct vl_hang_places places = {.find = find_line};
    char *sentence;
    assert_int_equal(vl_senders_say(&sentence, all, 2, &places), VL_OK);
    assert_non_null(sentence);
    free(sentence);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(what_all_ranks_send_from_a_place_is_added_up),
                                       TEST(a_contract_counts_where_the_submission_calls_it),
                                       TEST(nonsense_in_a_beacon_is_survived)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
