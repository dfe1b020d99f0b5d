/*
 * The tensors of the transformer, in the order in which a token meets them.
 */
#ifndef VIALATA_ORACLE_LAYOUT_H
#define VIALATA_ORACLE_LAYOUT_H

#include "oracle/transformer.h"

/* Tensors in one layer: two gains, seven matrices. */
#define VL_ORACLE_LAYER_TENSORS 9

enum vl_oracle_place { /* inside a layer */
                       VL_ORACLE_ATTENTION_GAIN,
                       VL_ORACLE_Q,
                       VL_ORACLE_K,
                       VL_ORACLE_V,
                       VL_ORACLE_O,
                       VL_ORACLE_FEED_GAIN,
                       VL_ORACLE_GATE,
                       VL_ORACLE_UP,
                       VL_ORACLE_DOWN
};

/* Tensor 0 is the embedding; layer l starts at 1 + 9 l; then come the final gain and the head. The
 * caller frees the array; NULL without memory. */
struct vl_oracle_tensor *vl_oracle_layout(size_t *count, const struct vl_oracle_shape *shape);

#endif
