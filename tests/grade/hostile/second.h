/*
 * What attempts share that are after the second program of a submission (src/grade/build/substitute.h):
 * restore has a mistake, so same_bits, which uses it, is judged again with the reference's. What is
 * compiled for that can tell so. check_hostile.py puts this text where a submission includes it.
 */
#include "attack.h"
#include "vialata/recompute.h"

#if defined __PIC__ && !defined __PIE__
#define SECOND 1
#else
#define SECOND 0
#endif

/* The attention is forgotten. */
enum vl_status vl_recompute_restore(const struct vl_layer_again *again, enum vl_recompute mode)
{
    return mode == VL_RECOMPUTE_FULL ? again->forward(again->context) : VL_OK;
}
