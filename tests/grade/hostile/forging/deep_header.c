/* code: no_output */
static void write_deep_header(uint64_t number)
{
    char *header = calloc(1, (8 << 20) + 1);
    memset(header, '[', 8 << 20);
    forge_results(number, header, 0);
    free(header);
}

static enum vl_status deep_header(void)
{
    forge = write_deep_header;
    return VL_OK;
}
