/*
 * Known wrong answers of lab 08: the experts' backward.
 */
#include "base/text.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/08_expert_parallel/expert_parallel.h"
#include "oracle/kernels.h"

#include <string.h>

enum piece { FIRST_ROWS, ONE_FOR_ALL, STOPS_AT_IDLE, LAST_FORGOTTEN, WITHOUT_BEFORE, IDLE_CLEARED };

/* Which expert's matrices a row meets. */
static size_t expert_of(const int64_t *rows_of, size_t row)
{
    size_t e = 0;
    for (size_t end = (size_t)rows_of[0]; row >= end; end += (size_t)rows_of[e])
        e++;
    return e;
}

static size_t first_row(const int64_t *rows_of, size_t expert)
{
    size_t first = 0;
    for (size_t e = 0; e < expert; e++)
        first += (size_t)rows_of[e];
    return first;
}

/* Is this row left out? */
static int is_lost(const int64_t *rows_of, size_t row, enum piece mistake)
{
    size_t e = expert_of(rows_of, row);
    if (mistake == LAST_FORGOTTEN)
        return row + 1 == first_row(rows_of, e + 1);
    for (size_t before = 0; mistake == STOPS_AT_IDLE && before < e; before++)
        if (rows_of[before] == 0)
            return 1;
    return 0;
}

struct scene {
    struct vl_scope s;
    const int64_t *rows_of;
    size_t count, rows, d, ff;
};

static struct scene open_scene(struct vl_bag *wrong, const struct vl_bag *inputs)
{
    struct scene e = {.s = vl_scope_begin(wrong, inputs)};
    e.rows_of = vl_bag_find(inputs, "rows_of")->data;
    e.count = vl_scope_size(&e.s, "count");
    e.rows = vl_scope_size(&e.s, "rows_of_all");
    e.d = vl_scope_size(&e.s, "width");
    e.ff = vl_scope_size(&e.s, "ff");
    return e;
}

static enum vl_status backward(struct vl_bag *wrong, const struct vl_bag *inputs,
                               enum piece mistake)
{
    struct scene x = open_scene(wrong, inputs);
    struct vl_scope *s = &x.s;
    size_t d = x.d, ff = x.ff;
    double *drows = vl_scope_out(s, "drows", x.rows, d, 0),
           *dopened = vl_scope_out(s, "dopened", x.rows, 2 * ff, 0),
           *dactive = vl_scope_work(s, "scratch", ff);
    for (size_t i = 0; !s->failed && i < x.rows; i++) {
        size_t e = mistake == ONE_FOR_ALL ? 0 : expert_of(x.rows_of, i), from = i;
        if (mistake == FIRST_ROWS)
            from -= first_row(x.rows_of, e);
        vl_oracle_linear_input(dactive, vl_scope_in(s, "dout") + from * d,
                               vl_scope_in(s, "down") + e * d * ff, 1, ff, d);
        vl_oracle_swiglu_input(dopened + i * 2 * ff, dactive,
                               vl_scope_in(s, "opened") + from * 2 * ff, 1, ff);
        vl_oracle_linear_input(drows + i * d, dopened + i * 2 * ff,
                               vl_scope_in(s, "gate_up") + e * 2 * ff * d, 1, d, 2 * ff);
    }
    return vl_scope_end(s);
}

MISTAKE(backward, FIRST_ROWS)
MISTAKE(backward, ONE_FOR_ALL)

#define ALWAYS_FIRST                                                                               \
    N_("Every expert worked on the first rows: the rows of an expert begin where those of the "    \
       "one "                                                                                      \
       "before end.")
#define SAME_WEIGHTS                                                                               \
    N_("All rows met the matrices of the first expert; each expert has its own, one behind the "   \
       "other.")

const struct vl_suspect vl_suspects_experts_backward_input[] = {
    {"first_rows_for_all", ALWAYS_FIRST, backward_FIRST_ROWS},
    {"first_expert_for_all", SAME_WEIGHTS, backward_ONE_FOR_ALL},
    NO_MORE_SUSPECTS};

static void forget(double *gradient, const struct scene *x, size_t matrix, enum piece mistake)
{
    for (size_t e = 0; e < x->count; e++)
        if (mistake == WITHOUT_BEFORE || (mistake == IDLE_CLEARED && x->rows_of[e] == 0))
            memset(gradient + e * matrix, 0, matrix * sizeof *gradient);
}

static enum vl_status weights(struct vl_bag *wrong, const struct vl_bag *inputs, enum piece mistake)
{
    struct scene x = open_scene(wrong, inputs);
    struct vl_scope *s = &x.s;
    size_t d = x.d, ff = x.ff;
    double *dgate_up = vl_scope_out(s, "dgate_up", x.count * 2 * ff, d, 1),
           *ddown = vl_scope_out(s, "ddown", x.count * d, ff, 1);
    if (!s->failed) {
        forget(dgate_up, &x, 2 * ff * d, mistake);
        forget(ddown, &x, d * ff, mistake);
    }
    for (size_t i = 0; !s->failed && i < x.rows; i++) {
        size_t e = expert_of(x.rows_of, i),
               from = mistake == FIRST_ROWS ? i - first_row(x.rows_of, e) : i;
        if (is_lost(x.rows_of, i, mistake))
            continue;
        e = mistake == ONE_FOR_ALL ? 0 : e;
        vl_oracle_linear_weight(ddown + e * d * ff, vl_scope_in(s, "dout") + from * d,
                                vl_scope_in(s, "active") + from * ff, 1, ff, d);
        vl_oracle_linear_weight(dgate_up + e * 2 * ff * d,
                                vl_scope_in(s, "dopened") + from * 2 * ff,
                                vl_scope_in(s, "rows") + from * d, 1, d, 2 * ff);
    }
    return vl_scope_end(s);
}

MISTAKE(weights, FIRST_ROWS)
MISTAKE(weights, ONE_FOR_ALL)
MISTAKE(weights, STOPS_AT_IDLE)
MISTAKE(weights, LAST_FORGOTTEN)
MISTAKE(weights, WITHOUT_BEFORE)
MISTAKE(weights, IDLE_CLEARED)

const struct vl_suspect vl_suspects_experts_backward_weight[] = {
    {"first_rows_for_all", ALWAYS_FIRST, weights_FIRST_ROWS},
    {"first_expert_for_all",
     N_("The gradients of all experts went to the first one; each has its own, one behind the "
        "other."),
     weights_ONE_FOR_ALL},
    {"stops_at_idle_expert",
     N_("Behind an expert without rows nothing was done any more; go on with the next one."),
     weights_STOPS_AT_IDLE},
    {"last_row_missing", N_("The last row of every expert is missing in its gradients."),
     weights_LAST_FORGOTTEN},
    {"overwritten",
     N_("What stood in the gradients before is gone: they are added to, since micro-batches add "
        "up."),
     weights_WITHOUT_BEFORE},
    {"idle_expert_cleared",
     N_("The gradient of an expert without rows was cleared. It has learnt nothing now, but what "
        "earlier micro-batches left there must stay."),
     weights_IDLE_CLEARED},
    NO_MORE_SUSPECTS};
