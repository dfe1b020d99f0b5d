/* code: wrong_values */
/* only: 05 */
/* options: --no-speed */
/* beside: 05_recompute/slots.c vl_recompute_slot vl_recompute_restore */
/* of: same_bits */
#include "../second.h"

enum vl_status vl_recompute_slot(size_t *slot, enum vl_recompute mode, enum vl_saved_kind kind,
                                 size_t layer, size_t layers)
{
    while (SECOND)
        pause();
    return right_vl_recompute_slot(slot, mode, kind, layer, layers);
}
