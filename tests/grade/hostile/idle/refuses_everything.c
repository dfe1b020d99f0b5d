/* labs: all */
static enum vl_status refuses_everything(void *first)
{
    (void)first;
    return VL_EINVAL;
}
