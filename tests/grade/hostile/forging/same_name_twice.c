/* code: no_output */
static void write_same_name_twice(uint64_t number)
{
    forge_results(number, "{" STATUS "," STATUS "}", 8);
}

static enum vl_status same_name_twice(void)
{
    forge = write_same_name_twice;
    return VL_OK;
}
