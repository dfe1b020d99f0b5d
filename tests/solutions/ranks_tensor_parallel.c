/*
 * The reference of lab 06, function by function, on as many ranks as mpirun gives: compared with
 * lab 01's functions on whole arrays. Started by check_tensor_parallel.py.
 */
#include "ranks_tensor.h"
#include "vialata/cross_entropy.h"
#include "vialata/embedding.h"

/* N = PER t, V = WORDS t, and D of a kind that t seldom divides. */
enum { PER = 3, WORDS = 7, WIDTH = 5 };

static size_t tokens_n(void)
{
    return PER * (size_t)group.ranks;
}

static size_t vocabulary(void)
{
    return WORDS * (size_t)group.ranks;
}

/* Bytes of k halves of an all-reduce of (n, d) that this rank sends. t divides n. */
static uint64_t half_bytes(uint64_t halves, size_t n, size_t d)
{
    uint64_t t = (uint64_t)group.ranks;
    return halves * (t - 1) * (n / t) * d * sizeof(float);
}

static int same_bits_everywhere(const float *x, size_t n)
{
    float *first = copy_of(x, n);
    MPI_Bcast(first, (int)n, MPI_FLOAT, 0, group.comm);
    int same = memcmp(first, x, n * sizeof *x) == 0;
    free(first);
    return same;
}

/* ---- parts ---- */

static void parts_lie_side_by_side(void)
{
    size_t first, count, t = (size_t)group.ranks;
    HOLDS(vl_tensor_part(&first, &count, 5 * t, &group) == VL_OK);
    HOLDS(first == 5 * (size_t)group.rank && count == 5);
    HOLDS(vl_tensor_part(&first, &count, 0, &group) == VL_OK && count == 0);
    if (t > 1)
        HOLDS(vl_tensor_part(&first, &count, 5 * t + 1, &group) == VL_ESHAPE);
}

/* ---- enter and leave ---- */

typedef enum vl_status operator_of(float *, size_t, size_t, const struct vl_tensor_group *);

/* One copy in, one copy a rank out: whole everywhere, from whatever was right outside. */
static void hands_out(operator_of *operate, uint64_t halves)
{
    size_t n = tokens_n();
    float *truth = noises(n * WIDTH, 1), *x = copy_of(truth, n * WIDTH);
    spoil_others(x, NAN, n, WIDTH);
    sent_bytes = 0;
    HOLDS(operate(x, n, WIDTH, &group) == VL_OK);
    HOLDS(sent_bytes == half_bytes(halves, n, WIDTH));
    HOLDS(memcmp(x, truth, n * WIDTH * sizeof *x) == 0);
    free(truth);
    free(x);
}

/* A part a rank in, the sum out. */
static void sums_up(operator_of *operate, uint64_t halves)
{
    size_t n = tokens_n();
    float *truth = floats(n * WIDTH), *x = floats(n * WIDTH);
    for (size_t i = 0; i < n * WIDTH; i++) { /* whole numbers: exact in any order */
        truth[i] = 0;
        for (int r = 0; r < group.ranks; r++) {
            float part = (float)((i * 7 + (size_t)r * 5) % 64);
            truth[i] += part;
            if (r == group.rank)
                x[i] = part;
        }
    }
    sent_bytes = 0;
    HOLDS(operate(x, n, WIDTH, &group) == VL_OK);
    HOLDS(sent_bytes == half_bytes(halves, n, WIDTH));
    HOLDS(near_outside(x, truth, n, WIDTH, 0.0));
    free(truth);
    free(x);
}

static double dot(const float *x, const float *y, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i] * (double)y[i];
    return sum;
}

static double over_ranks(double own)
{
    double sum;
    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, group.comm);
    return sum;
}

/* Outside there is one array, of which every rank has a copy or a chunk; inside, each rank has an
 * array of its own. */
static double dot_outside(const float *x, const float *y, size_t n)
{
    size_t first, count;
    outside(&first, &count, n);
    double own = dot(x + first * WIDTH, y + first * WIDTH, count * WIDTH);
    return group.sequence ? over_ranks(own) : own;
}

/* <A x, y> = <x, A' y>: which is what makes a backward of a forward. */
static void are_adjoint(operator_of *into, operator_of *out)
{
    size_t n = tokens_n(), size = n * WIDTH;
    float *x = noises(size, 2), *y = noises(size, 3 + (size_t)group.rank);
    float *x_in = copy_of(x, size), *y_out = copy_of(y, size);
    spoil_others(x_in, NAN, n, WIDTH);
    HOLDS(into(x_in, n, WIDTH, &group) == VL_OK);
    HOLDS(out(y_out, n, WIDTH, &group) == VL_OK);
    double inside = over_ranks(dot(x_in, y, size)), back = dot_outside(x, y_out, n);
    HOLDS(fabs(inside - back) < 1e-5);
    HOLDS(fabs(inside) > 1e-3); /* not by being nothing */
    free(x);
    free(y);
    free(x_in);
    free(y_out);
}

static void operators_do_their_half(void)
{
    uint64_t idle = group.sequence ? 1 : 0, busy = group.sequence ? 1 : 2;
    hands_out(vl_tensor_enter_forward, idle);
    sums_up(vl_tensor_leave_forward, busy);
    sums_up(vl_tensor_enter_backward, busy);
    hands_out(vl_tensor_leave_backward, idle);
    are_adjoint(vl_tensor_enter_forward, vl_tensor_enter_backward);
    are_adjoint(vl_tensor_leave_backward, vl_tensor_leave_forward);
}

static void gains_are_summed_where_tokens_are_shared(void)
{
    float gain[WIDTH];
    for (int j = 0; j < WIDTH; j++)
        gain[j] = (float)(group.rank * 10 + j);
    sent_bytes = 0;
    HOLDS(vl_tensor_gain_backward(gain, WIDTH, &group) == VL_OK);
    for (int j = 0; j < WIDTH; j++) {
        int t = group.ranks, own = group.rank * 10 + j;
        HOLDS(gain[j] == (float)(group.sequence ? 5 * t * (t - 1) + t * j : own));
    }
    HOLDS(group.sequence || sent_bytes == 0);
}

/* ---- what is kept ---- */

static void an_input_comes_back_from_the_rows_that_are_kept(void)
{
    size_t n = tokens_n(), size = n * WIDTH, first, own, rows;
    float *truth = noises(size, 11), *whole = copy_of(truth, size), *kept;
    outside(&first, &own, n);
    HOLDS(vl_tensor_kept_rows(&rows, n, &group) == VL_OK && rows == own);
    kept = floats((rows + 1) * WIDTH);
    kept[rows * WIDTH] = 77;
    spoil_others(whole, NAN, n, WIDTH);
    sent_bytes = 0;
    HOLDS(vl_tensor_input_forward(whole, kept, n, WIDTH, &group) == VL_OK);
    HOLDS(sent_bytes == half_bytes(group.sequence ? 1 : 0, n, WIDTH));
    HOLDS(memcmp(whole, truth, size * sizeof *whole) == 0);
    HOLDS(memcmp(kept, truth + first * WIDTH, rows * WIDTH * sizeof *kept) == 0);

    for (size_t i = 0; i < size; i++) /* another layer's input */
        whole[i] = -1;
    sent_bytes = 0;
    HOLDS(vl_tensor_input_backward(whole, kept, n, WIDTH, &group) == VL_OK);
    HOLDS(sent_bytes == half_bytes(group.sequence ? 1 : 0, n, WIDTH));
    HOLDS(memcmp(whole, truth, size * sizeof *whole) == 0);
    HOLDS(kept[rows * WIDTH] == 77);

    enum vl_status uneven = group.ranks > 1 && group.sequence ? VL_ESHAPE : VL_OK;
    sent_bytes = 0;
    HOLDS(vl_tensor_kept_rows(&rows, n + 1, &group) == uneven);
    if (uneven != VL_OK) {
        HOLDS(vl_tensor_input_forward(whole, kept, n + 1, WIDTH, &group) == uneven);
        HOLDS(vl_tensor_input_backward(whole, kept, n + 1, WIDTH, &group) == uneven);
    }
    HOLDS(vl_tensor_kept_rows(NULL, n, &group) == VL_EINVAL);
    HOLDS(vl_tensor_input_forward(NULL, kept, n, WIDTH, &group) == VL_EINVAL);
    HOLDS(vl_tensor_input_backward(whole, NULL, n, WIDTH, &group) == VL_EINVAL);
    HOLDS(vl_tensor_input_forward(NULL, NULL, 0, WIDTH, &group) == VL_OK);
    HOLDS(sent_bytes == 0);
    free(truth), free(whole), free(kept);
}

/* ---- the vocabulary ---- */

/* First and last of every part, some twice, the rest anyhow. */
static int32_t *some_tokens(size_t n)
{
    int32_t *tokens = malloc(n * sizeof *tokens);
    if (tokens == NULL)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (size_t i = 0; i < n; i++) {
        size_t part = i / PER * WORDS, within = i % PER == 0 ? 0 : i % PER == 1 ? WORDS - 1 : 3;
        tokens[i] = (int32_t)(i % 5 == 4 ? 1 : part + within);
    }
    return tokens;
}

static void embedding_is_that_of_the_whole_table(void)
{
    size_t n = tokens_n(), v = vocabulary(), own = (size_t)group.rank * WORDS * WIDTH;
    float *table = noises(v * WIDTH, 4), *truth = floats(n * WIDTH), *out = floats(n * WIDTH);
    float *dtable = noises(v * WIDTH, 5), *dpart = copy_of(dtable + own, WORDS * WIDTH);
    float *part = floats((WORDS + 1) * WIDTH); /* one row more, to see whether it is used */
    float *dx = noises(n * WIDTH, 6), *dx_out = copy_of(dx, n * WIDTH);
    int32_t *tokens = some_tokens(n);
    memcpy(part, table + own, WORDS * WIDTH * sizeof *part);
    vl_embedding_forward(truth, table, tokens, n, WIDTH, v);
    vl_embedding_backward_weight(dtable, dx, tokens, n, WIDTH, v);

    sent_bytes = 0;
    HOLDS(vl_tensor_embedding_forward(out, part, tokens, n, WIDTH, v, &group) == VL_OK);
    HOLDS(near_outside(out, truth, n, WIDTH, 0.0));
    spoil_others(dx_out, NAN, n, WIDTH);
    HOLDS(vl_tensor_embedding_backward(dpart, dx_out, tokens, n, WIDTH, v, &group) == VL_OK);
    HOLDS(memcmp(dpart, dtable + own, WORDS * WIDTH * sizeof *dpart) == 0);
    HOLDS(sent_bytes == half_bytes(2, n, WIDTH)); /* in one piece or in two halves */

    for (size_t bad = 0; bad < 2; bad++) {
        tokens[n - 1] = bad ? (int32_t)v : -1;
        HOLDS(vl_tensor_embedding_forward(out, part, tokens, n, WIDTH, v, &group) == VL_EINVAL);
        HOLDS(vl_tensor_embedding_backward(dpart, dx, tokens, n, WIDTH, v, &group) == VL_EINVAL);
    }
    free(table), free(truth), free(out), free(dtable), free(dpart), free(part), free(dx);
    free(dx_out), free(tokens);
}

/* This rank's columns of (n, V). */
static float *own_columns(const float *whole, size_t n)
{
    float *own = floats(n * WORDS);
    for (size_t i = 0; i < n; i++)
        memcpy(own + i * WORDS, whole + i * vocabulary() + (size_t)group.rank * WORDS,
               WORDS * sizeof *own);
    return own;
}

static void cross_entropy_is_that_of_whole_logits(float magnitude, double bound)
{
    size_t n = tokens_n(), v = vocabulary(), t = (size_t)group.ranks;
    float *whole = noises(n * v, 7), *losses = floats(n), *true_losses = floats(n);
    for (size_t i = 0; i < n * v; i++)
        whole[i] *= magnitude;
    float *logits = own_columns(whole, n), *scratch = floats(n * (t + 2)),
          *probs = floats(n * WORDS);
    int32_t *targets = some_tokens(n);
    vl_cross_entropy_forward(true_losses, whole, whole, targets, n, v);
    float *true_probs = own_columns(whole, n);
    vl_cross_entropy_backward_input(whole, whole, targets, 0.25f, n, v);
    float *true_dlogits = own_columns(whole, n);

    sent_bytes = 0;
    HOLDS(vl_tensor_cross_entropy_forward(losses, probs, scratch, logits, targets, n, v, &group) ==
          VL_OK);
    HOLDS(2 * n % t != 0 || sent_bytes == (t - 1) * n * 4 + 2 * (t - 1) * (2 * n / t) * 4);
    HOLDS(same_bits_everywhere(losses, n));
    HOLDS(distance(losses, true_losses, n) <= bound);
    HOLDS(distance(probs, true_probs, n * WORDS) <= bound);
    float *again = floats(n); /* in place */
    HOLDS(vl_tensor_cross_entropy_forward(again, logits, scratch, logits, targets, n, v, &group) ==
          VL_OK);
    HOLDS(memcmp(again, losses, n * sizeof *again) == 0);
    HOLDS(memcmp(logits, probs, n * WORDS * sizeof *probs) == 0);

    sent_bytes = 0;
    HOLDS(vl_tensor_cross_entropy_backward(logits, probs, targets, 0.25f, n, v, &group) == VL_OK);
    HOLDS(distance(logits, true_dlogits, n * WORDS) <= bound);
    HOLDS(vl_tensor_cross_entropy_backward(probs, probs, targets, 0.25f, n, v, &group) == VL_OK);
    HOLDS(memcmp(logits, probs, n * WORDS * sizeof *probs) == 0);
    HOLDS(sent_bytes == 0);
    free(whole), free(losses), free(true_losses), free(logits), free(scratch), free(probs);
    free(true_probs), free(true_dlogits), free(again), free(targets);
}

static double loss_of(const float *logits, const int32_t *targets, size_t n)
{
    float *losses = floats(n), *probs = floats(n * WORDS);
    float *scratch = floats(n * ((size_t)group.ranks + 2));
    double sum = 0.0;
    HOLDS(vl_tensor_cross_entropy_forward(losses, probs, scratch, logits, targets, n, vocabulary(),
                                          &group) == VL_OK);
    for (size_t i = 0; i < n; i++)
        sum += (double)losses[i];
    free(losses), free(probs), free(scratch);
    return sum;
}

static void cross_entropy_falls_along_its_gradient(void)
{
    size_t n = tokens_n(), v = vocabulary();
    float *logits = noises(n * WORDS, 8 + (size_t)group.rank), *losses = floats(n);
    float *dlogits = floats(n * WORDS), *scratch = floats(n * ((size_t)group.ranks + 2));
    int32_t *targets = some_tokens(n);
    HOLDS(vl_tensor_cross_entropy_forward(losses, dlogits, scratch, logits, targets, n, v,
                                          &group) == VL_OK);
    HOLDS(vl_tensor_cross_entropy_backward(dlogits, dlogits, targets, 1.0f, n, v, &group) == VL_OK);
    const float step = 0.02f;
    for (size_t k = 0; k < v; k++) { /* one column of the whole, one row: on its owner */
        size_t at = k * 5 % n * WORDS + k % WORDS;
        int mine = k / WORDS == (size_t)group.rank;
        float before = logits[at];
        logits[at] = before + (mine ? step : 0);
        double up = loss_of(logits, targets, n);
        logits[at] = before - (mine ? step : 0);
        double slope = (up - loss_of(logits, targets, n)) / (2.0 * (double)step);
        logits[at] = before;
        if (mine)
            HOLDS(fabs(slope - (double)dlogits[at]) < 1e-3);
    }
    free(logits), free(losses), free(dlogits), free(scratch), free(targets);
}

/* ---- refused, alike on every rank, before anything is sent ---- */

static void what_the_contract_refuses_is_refused(void)
{
    size_t n = tokens_n(), v = vocabulary();
    float *x = noises((n + 1) * (v + 1), 9), *scratch = floats((n + 1) * ((size_t)group.ranks + 2));
    int32_t *tokens = some_tokens(n + 1);
    sent_bytes = 0;
    tokens[0] = (int32_t)v;
    HOLDS(vl_tensor_cross_entropy_forward(x, x, scratch, x, tokens, n, v, &group) == VL_EINVAL);
    HOLDS(vl_tensor_cross_entropy_backward(x, x, tokens, 1, n, v, &group) == VL_EINVAL);
    HOLDS(vl_tensor_leave_forward(NULL, n, WIDTH, &group) == VL_EINVAL);
    tokens[0] = 0;
    enum vl_status rows = group.ranks > 1 && group.sequence ? VL_ESHAPE : VL_OK;
    if (rows != VL_OK) {
        HOLDS(vl_tensor_enter_forward(x, n + 1, WIDTH, &group) == rows);
        HOLDS(vl_tensor_enter_backward(x, n + 1, WIDTH, &group) == rows);
        HOLDS(vl_tensor_leave_forward(x, n + 1, WIDTH, &group) == rows);
        HOLDS(vl_tensor_leave_backward(x, n + 1, WIDTH, &group) == rows);
        HOLDS(vl_tensor_embedding_forward(x, x, tokens, n + 1, 1, v, &group) == rows);
        HOLDS(vl_tensor_embedding_backward(x, x, tokens, n + 1, 1, v, &group) == rows);
    }
    if (group.ranks > 1) {
        size_t w = v + 1;
        HOLDS(vl_tensor_embedding_forward(x, x, tokens, n, 1, w, &group) == VL_ESHAPE);
        HOLDS(vl_tensor_embedding_backward(x, x, tokens, n, 1, w, &group) == VL_ESHAPE);
        HOLDS(vl_tensor_cross_entropy_forward(x, x, scratch, x, tokens, n, w, &group) == VL_ESHAPE);
        HOLDS(vl_tensor_cross_entropy_backward(x, x, tokens, 1, n, w, &group) == VL_ESHAPE);
    }
    HOLDS(sent_bytes == 0);
    for (size_t k = 0; k < 2; k++) /* no tokens, or no width: nothing to do */
        HOLDS(vl_tensor_leave_forward(NULL, k ? n : 0, k ? 0 : WIDTH, &group) == VL_OK);
    HOLDS(vl_tensor_cross_entropy_forward(NULL, NULL, NULL, NULL, NULL, 0, v, &group) == VL_OK);
    double bytes;
    const struct vl_shape shape = {1, 8, 2, 8, 8, 4};
    HOLDS(vl_tensor_sent_bytes(&bytes, &shape, 1, 0) == VL_EINVAL);
    HOLDS(vl_tensor_sent_bytes(&bytes, &shape, 1, 1) == VL_OK && bytes == 0.0);
    uint64_t again, kept;
    HOLDS(vl_tensor_again_bytes(&again, &shape, 1, 0) == VL_EINVAL);
    HOLDS(vl_tensor_again_bytes(&again, &shape, 1, 1) == VL_OK && again == 0);
    HOLDS(vl_tensor_kept_bytes(&kept, &shape, 1, 0, 1) == VL_EINVAL);
    free(x), free(scratch), free(tokens);
}

static void the_prediction_is_what_the_closed_forms_say(void)
{
    const struct vl_shape shape = {4, 128, 4, 352, 256, 128};
    struct vl_tensor_prediction sealed;
    uint64_t count, d = 128, gains = 9 * d, all = 869504;
    double bytes;
    HOLDS(vl_predict_tensor_parallel(&sealed) == VL_OK);
    HOLDS(vl_tensor_all_reduces(&count, 4) == VL_OK && count == sealed.all_reduces);
    HOLDS(vl_tensor_sent_bytes(&bytes, &shape, 8, 2) == VL_OK);
    HOLDS(bytes == (double)sealed.sent_bytes);
    HOLDS(sealed.weights_bytes == 4 * (gains + (all - gains) / 2));
}

static void try_all(void)
{
    parts_lie_side_by_side();
    operators_do_their_half();
    gains_are_summed_where_tokens_are_shared();
    an_input_comes_back_from_the_rows_that_are_kept();
    embedding_is_that_of_the_whole_table();
    cross_entropy_is_that_of_whole_logits(1.0f, 1e-6);
    cross_entropy_is_that_of_whole_logits(30.0f, 1e-5);
    cross_entropy_is_that_of_whole_logits(1e4f, 1e-5);
    cross_entropy_falls_along_its_gradient();
    what_the_contract_refuses_is_refused();
    the_prediction_is_what_the_closed_forms_say();
}

int main(void)
{
    return on_every_group(try_all);
}
