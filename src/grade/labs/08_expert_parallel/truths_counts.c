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

/* Rows of one rank's tokens for another's experts. */
static size_t between(const struct vl_expert_case *c, int from, int to)
{
    size_t rows = 0;
    for (size_t i = 0; i < c->rows; i++)
        rows += vl_expert_rank_of(c, i) == from && c->choices[i] / (int64_t)c->own == to;
    return rows;
}

/* On the way there a rank sends its choices; on the way back, the rows of others. */
static void travels(struct vl_scope *s, const struct vl_expert_case *c, const char *bytes_name,
                    const char *messages_name, int there)
{
    for (int rank = 0; rank < c->ranks; rank++) {
        size_t bytes = 0, messages = 0;
        for (int other = 0; other < c->ranks; other++) {
            size_t rows = there ? between(c, rank, other) : between(c, other, rank);
            if (other == rank || rows == 0)
                continue;
            bytes += rows * c->width * sizeof(float);
            messages++;
        }
        vl_ranked_int(s, bytes_name, rank, bytes);
        vl_ranked_int(s, messages_name, rank, messages);
    }
}

VL_SCOPED_TRUTH(dispatch_traffic)
{
    struct vl_expert_case c = vl_expert_case_read(s->wide);
    travels(s, &c, "forward_bytes", "forward_messages", 1);
    travels(s, &c, "backward_bytes", "backward_messages", 0);
}

VL_SCOPED_TRUTH(combine_traffic)
{
    struct vl_expert_case c = vl_expert_case_read(s->wide);
    travels(s, &c, "forward_bytes", "forward_messages", 0);
    travels(s, &c, "backward_bytes", "backward_messages", 1);
}

/* ---- on paper ---- */

static struct vl_oracle_expert_shape shape_of(const struct vl_bag *inputs, size_t i)
{
    return (struct vl_oracle_expert_shape){.tokens = (size_t)vl_bag_i32(inputs, "tokens_of")[i],
                                           .width = vl_bag_size(inputs, "width"),
                                           .ff = vl_bag_size(inputs, "ff"),
                                           .experts = vl_bag_size(inputs, "experts"),
                                           .shared = vl_bag_size(inputs, "shared"),
                                           .chosen = vl_bag_size(inputs, "chosen"),
                                           .ranks = (int)vl_bag_int(inputs, "ranks")};
}

VL_TRUTH(expert_sent_bytes)
{
    if (vl_bag_int(inputs, "bad"))
        return vl_bag_set_int(expected, "status", VL_EINVAL) ? VL_OK : VL_ENOMEM;
    size_t figures = vl_bag_find(inputs, "tokens_of")->count;
    double *bytes = vl_bag_add_f64(expected, "bytes", 1, figures);
    for (size_t i = 0; bytes != NULL && i < figures; i++) {
        struct vl_oracle_expert_shape shape = shape_of(inputs, i);
        bytes[i] = vl_oracle_expert_sent(&shape);
    }
    return bytes != NULL ? VL_OK : VL_ENOMEM;
}

static enum vl_status sealed(struct vl_bag *expected, const char *name, uint64_t number)
{
    return vl_bag_set_int(expected, name, (int64_t)number) ? VL_OK : VL_ENOMEM;
}

VL_TRUTH(predict_expert_bytes)
{
    struct vl_oracle_expert_shape shape = shape_of(inputs, 0);
    return sealed(expected, "predicted_bytes", (uint64_t)vl_oracle_expert_sent(&shape));
}

VL_TRUTH(predict_expert_parameters)
{
    struct vl_oracle_expert_shape shape = shape_of(inputs, 0);
    return sealed(expected, "parameters", vl_oracle_expert_parameters(&shape));
}

VL_TRUTH(predict_active_parameters)
{
    struct vl_oracle_expert_shape shape = shape_of(inputs, 0);
    return sealed(expected, "active_parameters", vl_oracle_expert_active(&shape));
}
