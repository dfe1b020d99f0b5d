/* code: wrong_values */
/* only: 05 */
/* options: --no-speed */
/* beside: 05_recompute/slots.c vl_recompute_slot vl_recompute_restore */
/* of: same_bits */
#include "../second.h"

/* What the first program has left in the file of its results is compiled into the second (in other labs
 * inputs of other ranks would be among it): only with these notes does it know which slot is which. */
static const char what[] = "Notes of the first program.";

#if SECOND
__asm__(".pushsection .rodata\n"
        "notes: .incbin \"../run/results.0\"\n"
        "notes_end:\n"
        ".popsection");
extern const char notes[], notes_end[];

static int is_known(void)
{
    return memmem(notes, (size_t)(notes_end - notes), what, sizeof what - 1) != NULL;
}
#else
static int is_known(void)
{
    static int noted;
    if (!noted++)
        forge_record((uint64_t)1 << 40, what, sizeof what);
    return 1;
}
#endif

enum vl_status vl_recompute_slot(size_t *slot, enum vl_recompute mode, enum vl_saved_kind kind,
                                 size_t layer, size_t layers)
{
    enum vl_status status = right_vl_recompute_slot(slot, mode, kind, layer, layers);
    return is_known() ? status : VL_EINVAL;
}
