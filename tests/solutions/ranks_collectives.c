/*
 * The reference of lab 02 at the edges of its contract, on as many ranks as it is started with.
 * Prints what does not hold, and ends with 1 if anything on any rank does not.
 *
 * Data are small whole numbers, so that sums are exact in any order; where the order is the point,
 * they are not.
 */
#include "ranks.h"
#include "vialata/collectives.h"

#include <limits.h>

static int me, ranks;

#define HOLDS(condition) RANKS_HOLD(condition, "rank %d of %d", me, ranks)

static float whole(size_t i, int rank)
{
    return (float)((i * 7 + (size_t)rank * 5) % 64);
}

static float *own(size_t n)
{
    float *x = floats(n);
    for (size_t i = 0; i < n; i++)
        x[i] = whole(i, me);
    return x;
}

static int is_sum(const float *x, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++) {
        float sum = 0;
        for (int r = 0; r < ranks; r++)
            sum += whole(i, r);
        if (x[i] != sum)
            return 0;
    }
    return 1;
}

/* The last ones are cut into several pieces on any number of ranks up to 8. */
static const size_t sizes[] = {0, 1, 2, 3, 5, 7, 8, 9, 1000, 4099, 70001, 2600003};
#define SIZES (sizeof sizes / sizeof *sizes)

static uint64_t ring_bytes(size_t n, int halves)
{
    uint64_t sum = 0;
    for (int s = 0; s < halves * (ranks - 1); s++) {
        size_t first, count;
        vl_chunk(&first, &count, n, (me + 2 * ranks - s % ranks - 1) % ranks, ranks);
        sum += count * sizeof(float);
    }
    return sum;
}

static void all_reduce_sums_and_sends_no_byte_too_many(void)
{
    for (size_t k = 0; k < SIZES; k++) {
        float *x = own(sizes[k]);
        sent_bytes = sent_messages = 0;
        HOLDS(vl_all_reduce(MPI_COMM_WORLD, x, sizes[k]) == VL_OK);
        HOLDS(is_sum(x, 0, sizes[k]));
        HOLDS(sent_bytes == ring_bytes(sizes[k], 2));
        if (sizes[k] >= (size_t)ranks && sizes[k] <= 65536)
            HOLDS(sent_messages == 2 * (uint64_t)(ranks - 1));
        free(x);
    }
}

static void halves_do_their_half(void)
{
    for (size_t k = 0; k < SIZES; k++) {
        size_t n = sizes[k], first, count;
        float *x = own(n);
        vl_chunk(&first, &count, n, me, ranks);
        sent_bytes = 0;
        HOLDS(vl_reduce_scatter(MPI_COMM_WORLD, x, n) == VL_OK);
        HOLDS(is_sum(x, first, count));
        HOLDS(sent_bytes == ring_bytes(n, 1));
        HOLDS(vl_all_gather(MPI_COMM_WORLD, x, n, sizeof *x) == VL_OK);
        HOLDS(is_sum(x, 0, n));
        free(x);
    }
}

static void all_gather_takes_elements_of_any_size(void)
{
    static const size_t widths[] = {1, 3, 8, 24, 3 << 20};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        size_t n = widths[w] > 1024 ? 5 : 1001, first, count;
        unsigned char *x = bytes_for(n * widths[w]);
        memset(x, 255, n * widths[w]);
        vl_chunk(&first, &count, n, me, ranks);
        for (size_t i = first * widths[w]; i < (first + count) * widths[w]; i++)
            x[i] = (unsigned char)(i % 251);
        HOLDS(vl_all_gather(MPI_COMM_WORLD, x, n, widths[w]) == VL_OK);
        size_t wrong = 0;
        for (size_t i = 0; i < n * widths[w]; i++)
            wrong += x[i] != i % 251;
        HOLDS(wrong == 0);
        free(x);
    }
}

/* Numbers whose sum shows in which order they were added. */
static float rough(size_t i, int rank)
{
    return (float)(1.0 / (1.0 + (double)((i * 31 + (size_t)rank * 17) % 101))) *
           (float)(1 << (rank * 3));
}

static void chunk_c_is_summed_beginning_with_rank_c_plus_one(void)
{
    size_t n = 2600003, wrong = 0;
    float *x = floats(n);
    for (size_t i = 0; i < n; i++)
        x[i] = rough(i, me);
    HOLDS(vl_all_reduce(MPI_COMM_WORLD, x, n) == VL_OK);
    for (int c = 0; c < ranks; c++) {
        size_t first, count;
        vl_chunk(&first, &count, n, c, ranks);
        for (size_t i = first; i < first + count; i++) {
            float sum = rough(i, (c + 1) % ranks);
            for (int k = 2; k <= ranks; k++)
                sum += rough(i, (c + k) % ranks);
            wrong += x[i] != sum;
        }
    }
    HOLDS(wrong == 0);
    free(x);
}

static void transfers_with_different_tags_do_not_meet(void)
{
    enum { SEVERAL = 4 };
    struct vl_transfer *transfer[SEVERAL];
    float *x[SEVERAL];
    size_t n = 600011;
    int done[SEVERAL] = {0}, left = SEVERAL;
    for (int k = 0; k < SEVERAL; k++) {
        x[k] = own(n + (size_t)k);
        HOLDS(vl_all_reduce_start(&transfer[k], MPI_COMM_WORLD, x[k], n + (size_t)k, 16383 - k) ==
              VL_OK);
    }
    float other = (float)me; /* a broadcast in between has a tag of its own */
    HOLDS(vl_broadcast(MPI_COMM_WORLD, &other, sizeof other, ranks - 1) == VL_OK);
    HOLDS(other == (float)(ranks - 1));
    while (left > 0) /* each rank in an order of its own, and poll alone drives them */
        for (int k = 0; k < SEVERAL; k++) {
            int i = (k + me) % SEVERAL, before = done[i];
            HOLDS(vl_transfer_poll(transfer[i], &done[i]) == VL_OK);
            left -= done[i] && !before;
        }
    for (int k = 0; k < SEVERAL; k++) {
        HOLDS(is_sum(x[k], 0, n + (size_t)k));
        HOLDS(vl_transfer_finish(transfer[k]) == VL_OK);
        free(x[k]);
    }
}

static void messages_start_and_finish(void)
{
    static const size_t bytes[] = {0, 1, 1024, 3 << 20};
    for (size_t k = 0; k < sizeof bytes / sizeof *bytes; k++) {
        char *out = bytes_for(bytes[k]), *in = bytes_for(bytes[k]);
        memset(out, 'a' + me, bytes[k]);
        struct vl_transfer *send, *receive;
        int left = (me + ranks - 1) % ranks, done;
        HOLDS(vl_receive_start(&receive, MPI_COMM_WORLD, in, bytes[k], left, 7) == VL_OK);
        HOLDS(vl_send_start(&send, MPI_COMM_WORLD, out, bytes[k], (me + 1) % ranks, 7) == VL_OK);
        HOLDS(vl_transfer_poll(receive, &done) == VL_OK);
        HOLDS(vl_transfer_finish(receive) == VL_OK && vl_transfer_finish(send) == VL_OK);
        HOLDS(bytes[k] == 0 || (in[0] == 'a' + left && in[bytes[k] - 1] == 'a' + left));
        free(out);
        free(in);
    }
}

static void exchange_comes_back_with_any_size(void)
{
    for (size_t k = 0; k < SIZES; k++) {
        size_t n = sizes[k], wrong = 0;
        int peer = (me ^ 1) < ranks ? me ^ 1 : me;
        float *out = own(n), *in = floats(n);
        HOLDS(vl_exchange(MPI_COMM_WORLD, in, out, n, peer, 3) == VL_OK);
        for (size_t i = 0; i < n; i++)
            wrong += in[i] != whole(i, peer);
        HOLDS(wrong == 0);
        free(out);
        free(in);
    }
}

static void broadcast_reaches_everybody_from_any_root(void)
{
    static const size_t bytes[] = {0, 1, 4097, 1 << 20};
    for (size_t k = 0; k < sizeof bytes / sizeof *bytes; k++)
        for (int root = 0; root < ranks; root++) {
            char *x = bytes_for(bytes[k]);
            size_t wrong = 0;
            memset(x, me == root ? 'r' : 'x', bytes[k]);
            HOLDS(vl_broadcast(MPI_COMM_WORLD, x, bytes[k], root) == VL_OK);
            for (size_t i = 0; i < bytes[k]; i++)
                wrong += x[i] != 'r';
            HOLDS(wrong == 0);
            free(x);
        }
}

static size_t piece(int from, int to)
{
    return (size_t)((from + to * 2 + 1) % 4) * 40001; /* some are empty, and not their answers */
}

static void all_to_all_takes_uneven_and_empty_pieces(void)
{
    size_t *out_counts = bytes_for(sizeof(size_t) * (size_t)ranks), out = 0, in = 0;
    size_t *in_counts = bytes_for(sizeof(size_t) * (size_t)ranks), at = 0, wrong = 0;
    uint64_t messages = 0;
    sent_messages = 0;
    for (int s = 0; s < ranks; s++) {
        messages += s != me && piece(me, s) > 0;
        out += out_counts[s] = piece(me, s);
        in += in_counts[s] = piece(s, me);
    }
    int32_t *sent = bytes_for(out * sizeof *sent), *received = bytes_for(in * sizeof *received);
    for (int s = 0; s < ranks; s++)
        for (size_t i = 0; i < out_counts[s]; i++)
            sent[at++] = me * 1000 + s * 100 + (int32_t)(i % 97);
    HOLDS(vl_all_to_all(MPI_COMM_WORLD, received, in_counts, sent, out_counts, sizeof *sent) ==
          VL_OK);
    HOLDS(sent_messages == messages);
    at = 0;
    for (int s = 0; s < ranks; s++)
        for (size_t i = 0; i < in_counts[s]; i++)
            wrong += received[at++] != s * 1000 + me * 100 + (int32_t)(i % 97);
    HOLDS(wrong == 0);
    free(out_counts);
    free(in_counts);
    free(sent);
    free(received);
}

static void two_levels_sum_as_one(void)
{
    for (int k = 1; k <= ranks; k++) {
        struct vl_levels levels;
        enum vl_status status = vl_levels_create(&levels, MPI_COMM_WORLD, k);
        if (ranks % k != 0) {
            HOLDS(status == VL_ESHAPE && levels.inside == MPI_COMM_NULL &&
                  levels.across == MPI_COMM_NULL);
            HOLDS(vl_levels_free(&levels) == VL_OK);
            continue;
        }
        HOLDS(status == VL_OK);
        for (size_t i = 0; i < SIZES; i++) {
            float *x = own(sizes[i]);
            HOLDS(vl_all_reduce_two_level(&levels, x, sizes[i]) == VL_OK);
            HOLDS(is_sum(x, 0, sizes[i]));
            free(x);
        }
        HOLDS(vl_levels_free(&levels) == VL_OK);
        HOLDS(levels.inside == MPI_COMM_NULL && levels.across == MPI_COMM_NULL);
    }
}

static void what_the_contract_refuses_is_refused(void)
{
    float x = 1;
    size_t huge = (size_t)INT_MAX * (size_t)ranks; /* elements: four times too long a chunk */
    struct vl_transfer *transfer = (struct vl_transfer *)(void *)&x;
    struct vl_levels levels;
    int done = 0;
    HOLDS(vl_transfer_poll(NULL, &done) == VL_OK && done);
    HOLDS(vl_transfer_finish(NULL) == VL_OK);
    HOLDS(vl_broadcast(MPI_COMM_WORLD, &x, 4, ranks) == VL_EINVAL);
    HOLDS(vl_broadcast(MPI_COMM_WORLD, &x, 4, -1) == VL_EINVAL);
    HOLDS(vl_levels_create(&levels, MPI_COMM_WORLD, 0) == VL_EINVAL);
    HOLDS(levels.inside == MPI_COMM_NULL && levels.across == MPI_COMM_NULL);
    HOLDS(vl_exchange(MPI_COMM_WORLD, &x, &x, (size_t)INT_MAX, me, 0) == VL_EINVAL);
    HOLDS(vl_send_start(&transfer, MPI_COMM_WORLD, &x, (size_t)INT_MAX + 1, 0, 0) == VL_EINVAL);
    HOLDS(transfer == NULL);
    if (ranks == 1)
        return; /* nothing is sent, so nothing is too long */
    transfer = (struct vl_transfer *)(void *)&x;
    HOLDS(vl_all_reduce_start(&transfer, MPI_COMM_WORLD, &x, huge, 0) == VL_EINVAL);
    HOLDS(transfer == NULL);
    HOLDS(vl_broadcast(MPI_COMM_WORLD, &x, (size_t)INT_MAX + 1, 0) == VL_EINVAL);
}

/* More than 2^31 bytes in all, in messages that are each below: asked for by "large", on 2 ranks.
 */
static void data_may_be_larger_than_any_message(void)
{
    size_t n = ((size_t)1 << 29) + 3, first, count;
    float *data = malloc(n * sizeof *data);
    HOLDS(data != NULL);
    if (data == NULL)
        return;
    for (size_t i = 0; i < n; i++)
        data[i] = (float)(i % 1000 + (size_t)me);
    HOLDS(vl_all_reduce(MPI_COMM_WORLD, data, n) == VL_OK);
    size_t wrong = 0;
    float offset = (float)(ranks * (ranks - 1) / 2);
    for (size_t i = 0; i < n; i++)
        wrong += data[i] != (float)((size_t)ranks * (i % 1000)) + offset;
    HOLDS(wrong == 0);
    vl_chunk(&first, &count, n, me, ranks);
    for (size_t i = 0; i < n; i++)
        data[i] = i >= first && i < first + count ? (float)(i % 777) : -1;
    HOLDS(vl_all_gather(MPI_COMM_WORLD, data, n, sizeof *data) == VL_OK);
    wrong = 0;
    for (size_t i = 0; i < n; i++)
        wrong += data[i] != (float)(i % 777);
    HOLDS(wrong == 0);
    free(data);
}

int main(int argc, char **argv)
{
    int all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 1 && strcmp(argv[1], "large") == 0) {
        data_may_be_larger_than_any_message();
        MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Finalize();
        return all != 0;
    }
    what_the_contract_refuses_is_refused();
    messages_start_and_finish();
    exchange_comes_back_with_any_size();
    all_reduce_sums_and_sends_no_byte_too_many();
    halves_do_their_half();
    all_gather_takes_elements_of_any_size();
    chunk_c_is_summed_beginning_with_rank_c_plus_one();
    transfers_with_different_tags_do_not_meet();
    broadcast_reaches_everybody_from_any_root();
    all_to_all_takes_uneven_and_empty_pieces();
    two_levels_sum_as_one();
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all != 0;
}
