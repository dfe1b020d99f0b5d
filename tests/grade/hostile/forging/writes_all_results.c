/* code: unwritten no_output */
/* For cases after this one. */
static enum vl_status writes_all_results(void)
{
    for (uint64_t i = 60; i < 200; i++)
        forge_results(i, "{" STATUS "}", 8);
    return VL_OK;
}
