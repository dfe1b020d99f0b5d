/* open: a function that does nothing is replaced like one that is wrong, and steps of the whole engine pay */
/* only: 05 */
/* beside: 05_recompute/slots.c vl_recompute_restore */
/* of: same_bits full_step selective_step */
/* With VL_TODO in its place, none of these is even started. */
enum vl_status vl_recompute_restore(const struct vl_layer_again *again, enum vl_recompute mode)
{
    (void)again, (void)mode;
    return VL_OK;
}
