/*
 * The reference of lab 08 on as many ranks as mpirun gives, compared with plain float64 loops over
 * all tokens on one device. Started by check_expert_parallel.py.
 */
#include "ranks.h"
#include "vialata/expert_parallel.h"

enum { D = 5, F = 3, MOST = 120 }; /* experts at most; 120 is divided by 1, 2, 3, 4, 5 and 8 */

static MPI_Comm comm;
static int rank, ranks;
static const char *tried = "";

#define HOLDS(condition) RANKS_HOLD(condition, "rank %d of %d, %s", rank, ranks, tried)

static double *zeros(size_t n)
{
    double *x = bytes_for(n * sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = 0.0;
    return x;
}

static int near(const float *x, const double *truth, size_t n)
{
    double off = 0.0, scale = 1e-3;
    for (size_t i = 0; i < n; i++) {
        off = fmax(off, isnan(x[i]) ? INFINITY : fabs((double)x[i] - truth[i]));
        scale = fmax(scale, fabs(truth[i]));
    }
    return off <= 2e-6 * scale;
}

static double sigmoid(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

/* ---- the layer ---- */

/* Who has how many tokens, and where they want to go. */
enum load { EVEN, UNEVEN, ONE_RANK_NONE, ALL_TO_ONE, A_FEW_ONLY, ALL_ON_ONE_RANK, LOADS };
static const char *const loads[] = {"even",       "uneven",         "one rank without tokens",
                                    "all to one", "to a few alone", "all tokens on one rank"};

static size_t tokens_of(enum load load, int r)
{
    switch (load) {
    case UNEVEN:
        return (size_t)(r * 5 + 3) % 7;
    case ONE_RANK_NONE:
        return r == ranks / 2 ? 0 : 6;
    case ALL_ON_ONE_RANK:
        return r == ranks - 1 ? 11 : 0;
    default:
        return 6;
    }
}

/* The k different experts of token t of all. */
static void choices_of(int32_t *chosen, enum load load, size_t t, size_t k, size_t experts)
{
    size_t among = load == A_FEW_ONLY && k + 1 < experts ? k + 1 : experts;
    size_t first = (size_t)((double)(noise(t, 77) + 1) * 0.5 * (double)among) % among;
    for (size_t j = 0; j < k; j++)
        chosen[j] = (int32_t)((first + j * (among - 1)) % among);
    if (load == ALL_TO_ONE)
        for (size_t j = 0; j < k; j++)
            chosen[j] = (int32_t)(experts - 1 - j);
}

struct layer {
    size_t experts, k, all, first, own; /* tokens of all ranks; own ones begin at 'first' */
    int32_t *chosen;                    /* (all, k) */
    float *x, *weights, *dy;            /* (all, D), (all, k), (all, D) */
    float *gate_up, *down;              /* (E, 2F, D), (E, D, F) */
    double *y, *dx, *dweights, *dgate_up, *ddown;
};

/* One choice of one token, forward and backward, from the formulas alone. */
static void one_choice(struct layer *l, size_t t, size_t j)
{
    size_t c = t * l->k + j, e = (size_t)l->chosen[c];
    const float *x = l->x + t * D, *dy = l->dy + t * D;
    const float *gu = l->gate_up + e * 2 * F * D, *down = l->down + e * D * F;
    double opened[2 * F], active[F], out[D], dactive[F], dopened[2 * F];
    for (int i = 0; i < 2 * F; i++) {
        opened[i] = 0.0;
        for (int d = 0; d < D; d++)
            opened[i] += (double)gu[i * D + d] * (double)x[d];
    }
    for (int f = 0; f < F; f++)
        active[f] = opened[f] * sigmoid(opened[f]) * opened[F + f];
    for (int d = 0; d < D; d++) {
        out[d] = 0.0;
        for (int f = 0; f < F; f++)
            out[d] += (double)down[d * F + f] * active[f];
        l->y[t * D + (size_t)d] += (double)l->weights[c] * out[d];
        l->dweights[c] += (double)dy[d] * out[d];
    }
    for (int f = 0; f < F; f++) {
        dactive[f] = 0.0;
        for (int d = 0; d < D; d++) {
            double dout = (double)l->weights[c] * (double)dy[d];
            dactive[f] += dout * (double)down[d * F + f];
            l->ddown[(e * D + (size_t)d) * F + (size_t)f] += dout * active[f];
        }
        double s = sigmoid(opened[f]);
        dopened[f] = dactive[f] * opened[F + f] * (s + opened[f] * s * (1.0 - s));
        dopened[F + f] = dactive[f] * opened[f] * s;
    }
    for (int i = 0; i < 2 * F; i++)
        for (int d = 0; d < D; d++) {
            l->dx[t * D + (size_t)d] += dopened[i] * (double)gu[i * D + d];
            l->dgate_up[(e * 2 * F + (size_t)i) * D + (size_t)d] += dopened[i] * (double)x[d];
        }
}

static struct layer make_layer(enum load load, size_t experts, size_t k)
{
    struct layer l = {.experts = experts, .k = k};
    for (int r = 0; r < ranks; r++) {
        l.first += r < rank ? tokens_of(load, r) : 0;
        l.all += tokens_of(load, r);
    }
    l.own = tokens_of(load, rank);
    l.chosen = bytes_for(l.all * k * sizeof *l.chosen);
    l.x = noises(l.all * D, 1), l.weights = noises(l.all * k, 2), l.dy = noises(l.all * D, 3);
    l.gate_up = noises(experts * 2 * F * D, 4), l.down = noises(experts * D * F, 5);
    l.y = zeros(l.all * D), l.dx = zeros(l.all * D), l.dweights = zeros(l.all * k);
    l.dgate_up = zeros(experts * 2 * F * D), l.ddown = zeros(experts * D * F);
    for (size_t t = 0; t < l.all; t++) {
        choices_of(l.chosen + t * k, load, t, k, experts);
        for (size_t j = 0; j < k; j++)
            one_choice(&l, t, j);
    }
    return l;
}

static void drop_layer(struct layer *l)
{
    free(l->chosen), free(l->x), free(l->weights), free(l->dy), free(l->gate_up), free(l->down);
    free(l->y), free(l->dx), free(l->dweights), free(l->dgate_up), free(l->ddown);
}

static struct vl_dispatch make_dispatch(MPI_Comm with, size_t experts, size_t k, size_t tokens,
                                        size_t most_rows)
{
    struct vl_dispatch d = {
        .comm = with, .experts = experts, .chosen = k, .width = D, .tokens = tokens};
    MPI_Comm_rank(with, &d.rank);
    MPI_Comm_size(with, &d.ranks);
    d.room = most_rows;
    d.order = bytes_for(tokens * k * sizeof *d.order);
    d.counts = bytes_for(experts * sizeof *d.counts);
    d.arriving = bytes_for(experts * sizeof *d.arriving);
    d.rows_of = bytes_for(experts * sizeof *d.rows_of);
    d.leaving = floats(tokens * k * D);
    d.landing = floats(most_rows * D);
    return d;
}

static void drop_dispatch(struct vl_dispatch *d)
{
    free(d->order), free(d->counts), free(d->arriving), free(d->rows_of), free(d->leaving);
    free(d->landing);
}

/* What one run of the layer gives: for this rank's tokens and for its experts. */
struct result {
    float *y, *dx, *dweights, *dgate_up, *ddown;
    size_t rows;
};

static void drop_result(struct result *r)
{
    free(r->y), free(r->dx), free(r->dweights), free(r->dgate_up), free(r->ddown);
}

/* Bytes that this rank sends to others: its choices of other ranks' experts, or the rows that other
 * ranks have sent here. */
static uint64_t row_bytes(const struct vl_dispatch *d, int there)
{
    size_t own = d->experts / (size_t)d->ranks, rows = 0;
    for (size_t e = 0; e < d->experts; e++)
        if (e / own != (size_t)d->rank)
            rows += there ? d->counts[e] : d->arriving[e];
    return rows * D * sizeof(float);
}

static void plan_is(const struct layer *l, const struct vl_dispatch *d, const int32_t *chosen)
{
    size_t own = d->experts / (size_t)d->ranks, at = 0;
    for (size_t e = 0; e < d->experts; e++) { /* by expert; choices of one in their order */
        size_t n = 0;
        for (size_t c = 0; c < d->tokens * d->chosen; c++)
            if (chosen[c] == (int32_t)e) {
                HOLDS(d->order[at + n] == c);
                n++;
            }
        HOLDS(d->counts[e] == n);
        at += n;
    }
    at = 0;
    for (size_t e = 0; e < own && d->ranks == ranks; e++) {
        size_t n = 0;
        for (size_t c = 0; c < l->all * d->chosen; c++)
            n += (size_t)l->chosen[c] == (size_t)d->rank * own + e;
        HOLDS(d->rows_of[e] == n);
        at += n;
    }
    HOLDS(d->ranks != ranks || d->rows == at);
}

/* Tokens first .. first + n - 1, on the ranks of 'with'. What is added to begins with 1. */
static struct result run_layer(const struct layer *l, MPI_Comm with, size_t first, size_t n)
{
    struct vl_dispatch d = make_dispatch(with, l->experts, l->k, n, l->all * l->k);
    size_t own = l->experts / (size_t)d.ranks, e = own * (size_t)d.rank, k = l->k;
    struct result r = {floats(n * D),           floats(n * D),       floats(n * k),
                       floats(own * 2 * F * D), floats(own * D * F), 0};
    float *weights = l->weights + first * k, *returned = floats(n * k * D);
    for (size_t i = 0; i < n * D; i++)
        r.y[i] = r.dx[i] = 1;
    for (size_t i = 0; i < own * 2 * F * D; i++)
        r.dgate_up[i] = 1;
    for (size_t i = 0; i < own * D * F; i++)
        r.ddown[i] = 1;

    sent_bytes = 0;
    HOLDS(vl_dispatch_plan(&d, l->chosen + first * k) == VL_OK);
    HOLDS(sent_bytes == (uint64_t)(d.ranks - 1) * own * sizeof(size_t));
    plan_is(l, &d, l->chosen + first * k);
    size_t rows_n = r.rows = d.rows;
    float *rows = floats(rows_n * D), *out = floats(rows_n * D), *opened = floats(rows_n * 2 * F);
    float *active = floats(rows_n * F), *dactive = floats(rows_n * F),
          *dopened = floats(rows_n * 2 * F);
    const struct vl_experts experts = {
        own, d.rows_of, D, F, l->gate_up + e * 2 * F * D, l->down + e * D * F};

    sent_bytes = 0;
    HOLDS(vl_dispatch_forward(rows, l->x + first * D, &d) == VL_OK);
    HOLDS(sent_bytes == row_bytes(&d, 1));
    HOLDS(vl_experts_forward(out, opened, active, rows, &experts) == VL_OK);
    sent_bytes = 0;
    HOLDS(vl_combine_forward(r.y, returned, out, weights, &d) == VL_OK);
    HOLDS(sent_bytes == row_bytes(&d, 0));

    sent_bytes = 0;
    HOLDS(vl_combine_backward(out, r.dweights, l->dy + first * D, returned, weights, &d) == VL_OK);
    HOLDS(sent_bytes == row_bytes(&d, 1));
    float *drows = floats(rows_n * D);
    HOLDS(vl_experts_backward_input(drows, dopened, dactive, out, opened, &experts) == VL_OK);
    HOLDS(vl_experts_backward_weight(r.dgate_up, r.ddown, out, dopened, active, rows, &experts) ==
          VL_OK);
    sent_bytes = 0;
    HOLDS(vl_dispatch_backward(r.dx, drows, &d) == VL_OK);
    HOLDS(sent_bytes == row_bytes(&d, 0));
    free(returned), free(rows), free(out), free(opened), free(active), free(dactive);
    free(dopened), free(drows);
    drop_dispatch(&d);
    return r;
}

static int near_one_more(const float *x, const double *truth, size_t n)
{
    double *more = zeros(n);
    for (size_t i = 0; i < n; i++)
        more[i] = truth[i] + 1.0;
    int is = near(x, more, n);
    free(more);
    return is;
}

/* Compared with float64, and with the same functions on one rank with all tokens: there an expert
 * has the same rows in the same order, so the bits are the same. */
static void layer_is_that_of_one_device(enum load load, size_t experts, size_t k)
{
    tried = loads[load];
    struct layer l = make_layer(load, experts, k);
    struct result r = run_layer(&l, comm, l.first, l.own);
    struct result alone = run_layer(&l, MPI_COMM_SELF, 0, l.all);
    size_t own = experts / (size_t)ranks, e = own * (size_t)rank;
    HOLDS(alone.rows == l.all * k);
    HOLDS(near_one_more(r.y, l.y + l.first * D, l.own * D));
    HOLDS(near(r.dweights, l.dweights + l.first * k, l.own * k));
    HOLDS(near_one_more(r.dx, l.dx + l.first * D, l.own * D));
    HOLDS(near_one_more(r.dgate_up, l.dgate_up + e * 2 * F * D, own * 2 * F * D));
    HOLDS(near_one_more(r.ddown, l.ddown + e * D * F, own * D * F));

    size_t row = sizeof(float) * D;
    HOLDS(memcmp(r.y, alone.y + l.first * D, l.own * row) == 0);
    HOLDS(memcmp(r.dx, alone.dx + l.first * D, l.own * row) == 0);
    HOLDS(memcmp(r.dweights, alone.dweights + l.first * k, l.own * k * sizeof(float)) == 0);
    HOLDS(memcmp(r.dgate_up, alone.dgate_up + e * 2 * F * D, own * 2 * F * row) == 0);
    HOLDS(memcmp(r.ddown, alone.ddown + e * D * F, own * F * row) == 0);
    drop_result(&r);
    drop_result(&alone);
    drop_layer(&l);
}

/* ---- refused ---- */

static void what_does_not_fit_is_refused(void)
{
    tried = "refused";
    int32_t all[2 * 3];
    size_t p = (size_t)ranks;
    struct vl_dispatch d = make_dispatch(comm, 2 * p, 1, 6, 6 * p - 1);
    for (int c = 0; c < 6; c++) /* all rows to the last expert: one place too few */
        all[c] = (int32_t)(2 * p - 1);
    int crowded = rank == ranks - 1;
    HOLDS(vl_dispatch_plan(&d, all) == (crowded ? VL_ENOMEM : VL_OK));
    HOLDS(d.rows == (crowded ? 6 * p : 0));
    d.room = 6 * p;
    HOLDS(vl_dispatch_plan(&d, all) == VL_OK);
    sent_bytes = 0;
    for (int bad = 0; bad < 2; bad++) {
        all[5] = bad ? (int32_t)(2 * p) : -1;
        HOLDS(vl_dispatch_plan(&d, all) == VL_EINVAL);
    }
    all[5] = 0;
    d.experts = 2 * p - 1;
    if (d.experts % p != 0)
        HOLDS(vl_dispatch_plan(&d, all) == VL_ESHAPE);
    HOLDS(sent_bytes == 0);
    drop_dispatch(&d);
    double bytes;
    HOLDS(vl_expert_sent_bytes(&bytes, 8, 4, 2, 4, 0) == VL_EINVAL);
    HOLDS(vl_expert_sent_bytes(&bytes, 8, 4, 2, 4, 1) == VL_OK && bytes == 0.0);
}

/* ---- the closed forms ---- */

/* N k choices, as many for each expert: what is counted is what the closed form says. */
static void even_choices_send_what_the_closed_form_says(void)
{
    tried = "spread evenly";
    size_t p = (size_t)ranks, experts = 2 * p, k = 2, n = 3 * p;
    struct vl_dispatch d = make_dispatch(comm, experts, k, n, n * k);
    int32_t *chosen = bytes_for(n * k * sizeof *chosen);
    float *x = noises(n * D, 8), *y = noises(n * D, 9), *rows = floats(n * k * D);
    float *returned = floats(n * k * D), *weights = noises(n * k, 10);
    for (size_t c = 0; c < n * k; c++)
        chosen[c] = (int32_t)(c % experts);
    double bytes;
    sent_bytes = 0;
    HOLDS(vl_dispatch_plan(&d, chosen) == VL_OK);
    HOLDS(vl_dispatch_forward(rows, x, &d) == VL_OK);
    HOLDS(vl_combine_forward(y, returned, rows, weights, &d) == VL_OK);
    HOLDS(vl_combine_backward(rows, weights, x, returned, weights, &d) == VL_OK);
    HOLDS(vl_dispatch_backward(x, rows, &d) == VL_OK);
    HOLDS(vl_expert_sent_bytes(&bytes, n, D, k, experts, ranks) == VL_OK);
    HOLDS((double)sent_bytes == bytes);
    free(chosen), free(x), free(y), free(rows), free(returned), free(weights);
    drop_dispatch(&d);

    struct vl_expert_prediction sealed;
    HOLDS(vl_predict_expert_parallel(&sealed) == VL_OK);
    HOLDS(vl_expert_sent_bytes(&bytes, 4 * 128, 128, 2, 8, 2) == VL_OK);
    HOLDS(bytes == (double)sealed.sent_bytes);
    uint64_t router = 8 * 128, one = 3 * 128 * 352;
    HOLDS(sealed.parameters == router + 9 * one);
    HOLDS(sealed.active_parameters == router + 3 * one);
}

int main(void)
{
    int me, all = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int reversed = 0; reversed < 2; reversed++) {
        MPI_Comm_split(MPI_COMM_WORLD, 0, reversed ? -me : me, &comm);
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &ranks);
        for (int load = 0; load < LOADS; load++)
            for (size_t each = 1; each <= 3; each += 2) {
                size_t experts = each * (size_t)ranks;
                layer_is_that_of_one_device((enum load)load, experts, 1);
                layer_is_that_of_one_device((enum load)load, experts, (experts + 1) / 2);
                layer_is_that_of_one_device((enum load)load, experts, experts);
            }
        what_does_not_fit_is_refused();
        even_choices_send_what_the_closed_form_says();
        MPI_Comm_free(&comm);
    }
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all != 0;
}
