/*
 * Known wrong answers of lab 06: an embedding of which every rank has a few rows.
 */
#include "base/text.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/06_tensor_parallel/tensor_parallel.h"

#include <math.h>
#include <string.h>

/* ---- forward ---- */

enum look_up { OWN_ROWS, NO_OFFSET, WRAPPED, UNMASKED, MEAN };

/* What a rank puts for a token that may not be its own: element k. */
static double looked_up(const struct vl_tensor_case *c, const double *table, int rank, size_t token,
                        size_t k, enum look_up mistake)
{
    size_t first = (size_t)rank * c->columns, row = token - first;
    int own = token >= first && row < c->columns;
    if (mistake == NO_OFFSET) {
        own = token < c->columns;
        row = token;
    } else if (mistake == WRAPPED) {
        own = 1;
        row = token % c->columns;
    } else if (mistake == UNMASKED && !own) {
        own = 1;
        row = 0;
    }
    return own ? table[(first + row) * c->d + k] : 0;
}

static enum vl_status embedding(struct vl_bag *wrong, const struct vl_bag *inputs,
                                enum look_up mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_tensor_case c = vl_tensor_case_read(inputs);
    if (vl_tensor_refusal(inputs, &c) != VL_OK)
        return vl_scope_end(&s);
    const int32_t *tokens = vl_bag_i32(inputs, "tokens");
    for (int rank = 0; !s.failed && rank < c.ranks; rank++) {
        double *out = vl_ranked_out(&s, "out", rank, c.n, c.d);
        for (size_t i = 0; out != NULL && i < c.n * c.d; i++) {
            for (int from = 0; from < c.ranks; from++)
                if (mistake != OWN_ROWS || from == rank)
                    out[i] += looked_up(&c, vl_scope_in(&s, "table"), from, (size_t)tokens[i / c.d],
                                        i % c.d, mistake);
            if (mistake == MEAN)
                out[i] /= c.ranks;
        }
    }
    return vl_scope_end(&s);
}

MISTAKE(embedding, OWN_ROWS)
MISTAKE(embedding, NO_OFFSET)
MISTAKE(embedding, WRAPPED)
MISTAKE(embedding, UNMASKED)
MISTAKE(embedding, MEAN)

#define OFFSET                                                                                     \
    N_("The first row of this rank's part was forgotten: row 0 of its table is not token 0, but "  \
       "token 'first'.")
#define WRAP                                                                                       \
    N_("Tokens of other ranks were wrapped into this rank's part; they are nobody's business "     \
       "here.")

const struct vl_suspect vl_suspects_tensor_embedding[] = {
    {"own_rows_only",
     N_("Only the tokens whose row this rank has got one; the others are still zero. A sum over "
        "the ranks brings their rows."),
     embedding_OWN_ROWS},
    {"offset_forgotten", OFFSET, embedding_NO_OFFSET},
    {"token_wrapped", WRAP, embedding_WRAPPED},
    {"mask_forgotten",
     N_("For the tokens of other ranks a row of this rank's table was put (its first one); it must "
        "be zeros, or the sum has rows too many."),
     embedding_UNMASKED},
    {"divided_by_ranks",
     N_("The sum was divided by the number of ranks; one rank has the row and the others have "
        "zeros, so the sum is the row already."),
     embedding_MEAN},
    NO_MORE_SUSPECTS};

/* ---- backward ---- */

enum spread {
    NOT_GATHERED,
    CHUNK_ALONE,
    SUMMED,
    SPREAD_NO_OFFSET,
    SPREAD_WRAPPED,
    LAST,
    REPLACED,
    ASSIGNED
};

/* dx as a rank sees it: element k of row i. */
static double seen(const struct vl_tensor_case *c, const double *dx, int rank, size_t i, size_t k,
                   enum spread mistake)
{
    double sum = 0;
    for (int from = 0; from < c->ranks; from++)
        sum += vl_tensor_at(c, dx, from, i, k);
    if (mistake == SUMMED)
        return sum;
    if (mistake == NOT_GATHERED)
        return vl_tensor_at(c, dx, rank, i, k);
    if (mistake == CHUNK_ALONE)
        return vl_tensor_means(c, rank, i) ? vl_tensor_at(c, dx, rank, i, k) : 0;
    return vl_tensor_gathered(c, dx, rank, i, k);
}

/* The row of this rank's table that a token is taken for; 'columns' for none. */
static size_t taken_for(const struct vl_tensor_case *c, int rank, size_t token, enum spread mistake)
{
    size_t first = (size_t)rank * c->columns;
    if (mistake == SPREAD_NO_OFFSET)
        first = 0;
    if (mistake == SPREAD_WRAPPED)
        return token % c->columns;
    return token >= first && token - first < c->columns ? token - first : c->columns;
}

static enum vl_status table(struct vl_bag *wrong, const struct vl_bag *inputs, enum spread mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_tensor_case c = vl_tensor_case_read(inputs);
    if (vl_tensor_refusal(inputs, &c) != VL_OK)
        return vl_scope_end(&s);
    const int32_t *tokens = vl_bag_i32(inputs, "tokens");
    for (int rank = 0; !s.failed && rank < c.ranks; rank++) {
        double *out = vl_ranked_out(&s, "dtable", rank, c.columns, c.d);
        const double *before = vl_scope_in(&s, "dtable") + (size_t)rank * c.columns * c.d;
        if (out != NULL && mistake != REPLACED)
            memcpy(out, before, c.columns * c.d * sizeof *out);
        for (size_t i = 0; out != NULL && i < c.n * c.d; i++) {
            size_t row = taken_for(&c, rank, (size_t)tokens[i / c.d], mistake), k = i % c.d;
            if (row == c.columns)
                continue;
            double add = seen(&c, vl_scope_in(&s, "dx"), rank, i / c.d, k, mistake);
            double stood = (mistake == LAST ? before : out)[row * c.d + k];
            out[row * c.d + k] = add + (mistake == ASSIGNED ? 0 : stood);
        }
    }
    return vl_scope_end(&s);
}

MISTAKE(table, NOT_GATHERED)
MISTAKE(table, CHUNK_ALONE)
MISTAKE(table, SUMMED)
MISTAKE(table, SPREAD_NO_OFFSET)
MISTAKE(table, SPREAD_WRAPPED)
MISTAKE(table, LAST)
MISTAKE(table, REPLACED)
MISTAKE(table, ASSIGNED)

const struct vl_suspect vl_suspects_tensor_embedding_backward[] = {
    {"not_gathered",
     N_("Rows of dx outside this rank's chunk were used as they stood; under sequence parallelism "
        "they mean nothing until they are gathered."),
     table_NOT_GATHERED},
    {"own_tokens_only",
     N_("Only the tokens of this rank's chunk were added. The rows of its table are asked for by "
        "the tokens of all ranks: gather dx first."),
     table_CHUNK_ALONE},
    {"summed_too",
     N_("The ranks' dx were added up first. Without sequence parallelism every rank has the whole "
        "gradient already; with it, the rows are gathered, not summed."),
     table_SUMMED},
    {"offset_forgotten", OFFSET, table_SPREAD_NO_OFFSET},
    {"token_wrapped", WRAP, table_SPREAD_WRAPPED},
    {"repeated_token",
     N_("Where a token comes twice, only one of its rows counts: add each of them."), table_LAST},
    {"overwritten",
     N_("What stood in the gradient before is gone: it is added to, since micro-batches add up."),
     table_REPLACED},
    {"assigned",
     N_("A row of dx was put where it is to be added: what stood there before, and what the same "
        "token brought earlier, is lost."),
     table_ASSIGNED},
    NO_MORE_SUSPECTS};
