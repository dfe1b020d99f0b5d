/*
 * What lab 08 must send, choice by choice, and what its figures on paper must be.
 */
#include "grade/catalogue/maker.h"
#include "grade/labs/08_expert_parallel/expert_parallel.h"

/* ---- metered ---- */

VL_SCOPED_TRUTH(plan_traffic)
{
    struct vl_expert_case c = vl_expert_case_read(s->wide);
    size_t others = (size_t)c.ranks - 1;
    for (int rank = 0; rank < c.ranks; rank++) {
        vl_ranked_int(s, "sent_bytes", rank, others * c.own * sizeof(size_t));
        vl_ranked_int(s, "sent_messages", rank, others);
    }
}

/* Rows that go from one rank's tokens to another's experts. */
static size_t between(const struct vl_expert_case *c, int from, int to)
{
    size_t rows = 0;
    for (size_t i = 0; i < c->rows; i++)
        rows += vl_expert_rank_of(c, i) == from && c->choices[i] / (int64_t)c->own == to;
    return rows;
}

/* What forward and backward send. On the way there a rank sends its own choices, on the way back
 * the rows of others. there_first: forward is the way there. */
static void travels(struct vl_scope *s, int there_first)
{
    static const char *const names[2][2] = {{"forward_bytes", "forward_messages"},
                                            {"backward_bytes", "backward_messages"}};
    const struct vl_expert_case c = vl_expert_case_read(s->wide);
    for (int way = 0; way < 2; way++)
        for (int rank = 0; rank < c.ranks; rank++) {
            size_t rows = 0, messages = 0;
            for (int other = 0; other < c.ranks; other++) {
                size_t sent =
                    way != there_first ? between(&c, rank, other) : between(&c, other, rank);
                rows += other != rank ? sent : 0;
                messages += other != rank && sent > 0;
            }
            vl_ranked_int(s, names[way][0], rank, rows * c.width * sizeof(float));
            vl_ranked_int(s, names[way][1], rank, messages);
        }
}

VL_SCOPED_TRUTH(dispatch_traffic)
{
    travels(s, 1);
}

VL_SCOPED_TRUTH(combine_traffic)
{
    travels(s, 0);
}

/* ---- on paper ---- */

static struct vl_oracle_expert_shape shape_of(const struct vl_bag *inputs, size_t tokens)
{
    return (struct vl_oracle_expert_shape){.tokens = tokens,
                                           .width = vl_bag_size(inputs, "width"),
                                           .ff = vl_bag_size(inputs, "ff"),
                                           .experts = vl_bag_size(inputs, "experts"),
                                           .shared = vl_bag_size(inputs, "shared"),
                                           .chosen = vl_bag_size(inputs, "chosen"),
                                           .ranks = (int)vl_bag_int(inputs, "ranks")};
}

VL_SCOPED_TRUTH(expert_sent_bytes)
{
    if (vl_scope_bad(s))
        return;
    size_t figures = vl_bag_find(s->inputs, "tokens_of")->count;
    double *bytes = vl_scope_out(s, "bytes", 1, figures, 0);
    for (size_t i = 0; bytes != NULL && i < figures; i++) {
        size_t tokens = (size_t)vl_bag_i32(s->inputs, "tokens_of")[i];
        struct vl_oracle_expert_shape shape = shape_of(s->inputs, tokens);
        bytes[i] = vl_oracle_expert_sent(&shape);
    }
}

/* A sealed number, worked out from the 'shape' of the sealed case. */
#define SEALED(question, name, number)                                                             \
    VL_TRUTH(question)                                                                             \
    {                                                                                              \
        size_t tokens = vl_bag_size(inputs, "rows") * vl_bag_size(inputs, "sequence") /            \
                        vl_bag_size(inputs, "ranks");                                              \
        const struct vl_oracle_expert_shape shape = shape_of(inputs, tokens);                      \
        return vl_answer_int(expected, name, (int64_t)(number));                                   \
    }
SEALED(predict_expert_sent_bytes, "predicted_bytes", vl_oracle_expert_sent(&shape))
SEALED(predict_expert_parameters, "parameters", vl_oracle_expert_parameters(&shape))
SEALED(predict_expert_active_parameters, "active_parameters", vl_oracle_expert_active(&shape))
