#include "grade/catalogue/scope.h"

#include "grade/catalogue/maker.h"

#include <string.h>

struct vl_scope vl_scope_begin(struct vl_bag *answer, const struct vl_bag *inputs)
{
    struct vl_scope scope = {vl_bag_widened(inputs), answer, 0, inputs};
    scope.failed = !scope.wide;
    return scope;
}

enum vl_status vl_scope_end(struct vl_scope *scope)
{
    vl_bag_free(scope->wide);
    return scope->failed ? VL_ENOMEM : VL_OK;
}

size_t vl_scope_size(const struct vl_scope *scope, const char *name)
{
    return vl_bag_size(scope->wide, name);
}

double vl_scope_real(const struct vl_scope *scope, const char *name)
{
    return vl_bag_real(scope->wide, name);
}

double *vl_scope_in(const struct vl_scope *scope, const char *name)
{
    return vl_bag_f64(scope->wide, name);
}

double *vl_scope_out(struct vl_scope *scope, const char *name, size_t rows, size_t cols, int adds)
{
    double *array = vl_bag_add_f64(scope->answer, name, rows, cols);
    double *before = adds ? vl_scope_in(scope, name) : NULL;
    scope->failed |= !array;
    if (array && before && rows * cols > 0)
        memcpy(array, before, rows * cols * sizeof *array);
    return array;
}

double *vl_scope_work(struct vl_scope *scope, const char *name, size_t count)
{
    double *array = vl_bag_add_f64(scope->wide, name, 1, count);
    scope->failed |= !array;
    return array;
}

double *vl_ranked_out(struct vl_scope *scope, const char *name, int rank, size_t rows, size_t cols)
{
    char ranked[VL_RANKED_NAME];
    return vl_scope_out(scope, vl_ranked(ranked, name, rank), rows, cols, 0);
}

void vl_ranked_copy(struct vl_scope *scope, const char *name, int rank, const double *values,
                    size_t rows, size_t cols)
{
    double *array = vl_ranked_out(scope, name, rank, rows, cols);
    if (array && rows * cols > 0)
        memcpy(array, values, rows * cols * sizeof *array);
}

int64_t *vl_scope_whole(struct vl_scope *scope, const char *name, size_t rows, size_t cols)
{
    int64_t *array = vl_bag_add(scope->answer, name, VL_I64, 2, (size_t[]){rows, cols});
    scope->failed |= !array;
    return array;
}

int64_t *vl_ranked_whole(struct vl_scope *scope, const char *name, int rank, size_t rows,
                         size_t cols)
{
    char ranked[VL_RANKED_NAME];
    return vl_scope_whole(scope, vl_ranked(ranked, name, rank), rows, cols);
}

void vl_scope_give_int(struct vl_scope *scope, const char *name, uint64_t value)
{
    scope->failed |= !vl_bag_set_int(scope->answer, name, (int64_t)value);
}

void vl_ranked_int(struct vl_scope *scope, const char *name, int rank, size_t value)
{
    char ranked[VL_RANKED_NAME];
    vl_scope_give_int(scope, vl_ranked(ranked, name, rank), value);
}

void vl_scope_give_real(struct vl_scope *scope, const char *name, double value)
{
    scope->failed |= !vl_bag_set_real(scope->answer, name, value);
}

void vl_ranked_real(struct vl_scope *scope, const char *name, int rank, double value)
{
    char ranked[VL_RANKED_NAME];
    vl_scope_give_real(scope, vl_ranked(ranked, name, rank), value);
}

void vl_scope_status(struct vl_scope *scope, enum vl_status status)
{
    vl_scope_give_int(scope, "status", status);
}

int vl_scope_refused(struct vl_scope *scope, int refused, enum vl_status status)
{
    if (refused)
        vl_scope_status(scope, status);
    return refused;
}

int vl_scope_bad(struct vl_scope *scope)
{
    return vl_scope_refused(scope, vl_scope_size(scope, "bad") != 0, VL_EINVAL);
}

enum vl_status vl_scope_refuse(struct vl_scope *scope, enum vl_status status)
{
    vl_scope_status(scope, status);
    return vl_scope_end(scope);
}

enum vl_status vl_answer_int(struct vl_bag *answer, const char *name, int64_t value)
{
    return vl_bag_set_int(answer, name, value) ? VL_OK : VL_ENOMEM;
}

enum vl_status vl_answer_real(struct vl_bag *answer, const char *name, double value)
{
    return vl_bag_set_real(answer, name, value) ? VL_OK : VL_ENOMEM;
}
