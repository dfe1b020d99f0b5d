/*
 * The scope in which an answer, right or wrong, is worked out: the inputs widened to float64, and
 * the bag that the answer goes to. Failures are remembered and reported at the end.
 */
#ifndef VIALATA_GRADE_CATALOGUE_SCOPE_H
#define VIALATA_GRADE_CATALOGUE_SCOPE_H

#include "wire/bag.h"
#include <stddef.h>

struct vl_scope {
    struct vl_bag *wide;
    struct vl_bag *answer;
    int failed;
    const struct vl_bag *inputs; /* as they came */
};

struct vl_scope vl_scope_begin(struct vl_bag *answer, const struct vl_bag *inputs);
/* Free what is the scope's; VL_OK, or VL_ENOMEM if anything failed. */
enum vl_status vl_scope_end(struct vl_scope *scope);

size_t vl_scope_size(const struct vl_scope *scope, const char *name);
double vl_scope_real(const struct vl_scope *scope, const char *name);
double *vl_scope_in(const struct vl_scope *scope, const char *name);

/* An array of the answer; NULL, and the scope fails, without memory. With 'adds' it starts as the
 * input of the same name, if there is one. */
double *vl_scope_out(struct vl_scope *scope, const char *name, size_t rows, size_t cols, int adds);

/* Float64 working memory that lives as long as the scope; zeroed. */
double *vl_scope_work(struct vl_scope *scope, const char *name, size_t count);

/* An array "name@rank" of the answer, for one of several ranks: of zeros, or a copy. */
double *vl_ranked_out(struct vl_scope *scope, const char *name, int rank, size_t rows, size_t cols);
void vl_ranked_copy(struct vl_scope *scope, const char *name, int rank, const double *values,
                    size_t rows, size_t cols);
/* The same for whole numbers; for a single one; for a single real one. */
int64_t *vl_ranked_whole(struct vl_scope *scope, const char *name, int rank, size_t rows,
                         size_t cols);
void vl_ranked_int(struct vl_scope *scope, const char *name, int rank, size_t value);
void vl_ranked_real(struct vl_scope *scope, const char *name, int rank, double value);

/* Defines vl_truth_<name>: its body has a scope 's' that has begun. Without memory for it the
 * body does not run. */
#define VL_SCOPED_TRUTH(name)                                                                      \
    static void work_out_##name(struct vl_scope *s);                                               \
    enum vl_status vl_truth_##name(struct vl_bag *expected, const struct vl_bag *inputs)           \
    {                                                                                              \
        struct vl_scope scope = vl_scope_begin(expected, inputs);                                  \
        if (!scope.failed)                                                                         \
            work_out_##name(&scope);                                                               \
        return vl_scope_end(&scope);                                                               \
    }                                                                                              \
    static void work_out_##name(struct vl_scope *s)

/* In the answer: a table of whole numbers, all zero; a single one; a single real one. */
int64_t *vl_scope_whole(struct vl_scope *scope, const char *name, size_t rows, size_t cols);
void vl_scope_give_int(struct vl_scope *scope, const char *name, uint64_t value);
void vl_scope_give_real(struct vl_scope *scope, const char *name, double value);

/* Set the status of the answer: always; only if 'refused', which is returned; and, to return from a
 * truth at once, ending the scope too. */
void vl_scope_status(struct vl_scope *scope, enum vl_status status);
int vl_scope_refused(struct vl_scope *scope, int refused, enum vl_status status);
enum vl_status vl_scope_refuse(struct vl_scope *scope, enum vl_status status);
/* Are the arguments of this case bad ("bad" in the inputs)? Then the answer is VL_EINVAL. */
int vl_scope_bad(struct vl_scope *scope);

/* A truth that is one number, or ("status") a refusal: VL_OK, or VL_ENOMEM. */
enum vl_status vl_answer_int(struct vl_bag *answer, const char *name, int64_t value);
enum vl_status vl_answer_real(struct vl_bag *answer, const char *name, double value);

#endif
