/* code: no_output */
/* The place of an array that is not there. */
static void write_damage_nowhere(uint64_t number)
{
    forge_results(
        number,
        "{" STATUS ",\"damaged\":{\"dtype\":\"I64\",\"shape\":[1],\"data_offsets\":[8,16]}}", 16);
    int file = open("results.0", O_RDWR | O_APPEND);
    (void)!ftruncate(file, lseek(file, 0, SEEK_END) - 8);
    (void)!write(file, "\xff\xff\xff\xff\xff\xff\xff\x7f", 8);
    close(file);
}

static enum vl_status damage_nowhere(void)
{
    forge = write_damage_nowhere;
    return VL_OK;
}
