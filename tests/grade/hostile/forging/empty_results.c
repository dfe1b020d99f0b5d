/* code: no_output */
static void write_empty_results(uint64_t number)
{
    forge_record(number, "", 0);
}

static enum vl_status empty_results(void)
{
    forge = write_empty_results;
    return VL_OK;
}
