/* code: wrong_values */
/* only: 05 */
/* options: --no-speed */
/* beside: 05_recompute/slots.c vl_recompute_slot vl_recompute_restore */
/* of: same_bits */
#include "../second.h"

/* Variables that are refused, in what is compiled the second time only. */
#if SECOND
static volatile char room[(size_t)3 << 29];
#else
static volatile char room[1];
#endif

enum vl_status vl_recompute_slot(size_t *slot, enum vl_recompute mode, enum vl_saved_kind kind,
                                 size_t layer, size_t layers)
{
    room[sizeof room - 1] = 1;
    return right_vl_recompute_slot(slot, mode, kind, layer, layers);
}
