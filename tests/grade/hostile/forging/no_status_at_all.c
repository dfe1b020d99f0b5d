/* code: unexpected_status */
static enum vl_status no_status_at_all(void)
{
    return (enum vl_status)0x7fffffff;
}
