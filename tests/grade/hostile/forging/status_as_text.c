/* code: no_output */
static void write_status_as_text(uint64_t number)
{
    forge_results(number, "{" NOTHING("status", "U8") "}", 0);
}

static enum vl_status status_as_text(void)
{
    forge = write_status_as_text;
    return VL_OK;
}
