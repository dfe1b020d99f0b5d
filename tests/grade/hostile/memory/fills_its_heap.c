/* code: unwritten */
static enum vl_status fills_its_heap(void)
{
    for (int i = 0; i < 1000; i++)
        if (malloc((size_t)1 << 30) == NULL)
            break;
    return VL_OK;
}
