/* earns: nothing */
/* only: 05 */
/* beside: 05_recompute/slots.c vl_recompute_restore */
/* of: vl_recompute_restore same_bits full_step selective_step */
/* A right function in its place would pay with all the steps of the whole engine. */
enum vl_status vl_recompute_restore(const struct vl_layer_again *again, enum vl_recompute mode)
{
    (void)again, (void)mode;
    return VL_OK;
}
