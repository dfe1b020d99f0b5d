/*
 * The embedding: token number -> vector. A table with one row per vocabulary entry.
 *
 *   x (n,D), row i = row tokens[i] of the table (V,D)
 *
 * Serial. VL_EINVAL if a token is not in [0, V).
 */
#ifndef VIALATA_EMBEDDING_H
#define VIALATA_EMBEDDING_H

#include "vialata/status.h"
#include <stddef.h>
#include <stdint.h>

/* x (n,width), overwritten. Copies 4 n width bytes. [worked] */
enum vl_status vl_embedding_forward(float *x, const float *table, const int32_t *tokens, size_t n,
                                    size_t width, size_t vocabulary);

/* dtable (vocabulary,width), added to: row tokens[i] receives row i of dx (n,width). [worked] */
enum vl_status vl_embedding_backward_weight(float *dtable, const float *dx, const int32_t *tokens,
                                            size_t n, size_t width, size_t vocabulary);

#endif
