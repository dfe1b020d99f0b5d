#include "train/bench/step/products.h"

#include <stdlib.h>

static struct vl_products *open_list;

void vl_products_open(struct vl_products *list)
{
    *list = (struct vl_products){0};
    open_list = list;
}

enum vl_status vl_products_close(struct vl_products *list)
{
    open_list = NULL;
    if (list->incomplete)
        return VL_ENOMEM;
    return list->count > 0 ? VL_OK : VL_EINVAL;
}

void vl_products_note(const struct vl_product *call)
{
    struct vl_products *list = open_list;
    if (list == NULL)
        return;
    if (list->count == list->capacity) {
        size_t capacity = list->capacity > 0 ? 2 * list->capacity : 1024;
        struct vl_product *calls = realloc(list->calls, capacity * sizeof *calls);
        if (calls == NULL) {
            list->incomplete = true;
            return;
        }
        list->calls = calls;
        list->capacity = capacity;
    }
    list->calls[list->count++] = *call;
}

void vl_products_repeat(const struct vl_products *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct vl_product *p = &list->calls[i];
        cblas_sgemm(p->order, p->trans_a, p->trans_b, p->m, p->n, p->k, p->alpha, p->a, p->lda,
                    p->b, p->ldb, p->beta, p->c, p->ldc);
    }
}

void vl_products_free(struct vl_products *list)
{
    free(list->calls);
    *list = (struct vl_products){0};
}
