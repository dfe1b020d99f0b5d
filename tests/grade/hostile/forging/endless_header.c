/* code: no_output */
static void write_endless_header(uint64_t number)
{
    forge_record(number, "\xff\xff\xff\xff\xff\xff\xff\xff{}", 10);
}

static enum vl_status endless_header(void)
{
    forge = write_endless_header;
    return VL_OK;
}
