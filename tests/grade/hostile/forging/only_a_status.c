/* code: no_output */
static void write_only_a_status(uint64_t number)
{
    forge_results(number, "{" STATUS "}", 8);
}

static enum vl_status only_a_status(void)
{
    forge = write_only_a_status;
    return VL_OK;
}
