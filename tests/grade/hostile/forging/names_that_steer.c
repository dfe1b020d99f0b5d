/* code: no_output */
/* The message names the array that was damaged: its name must steer nothing. */
static void write_names_that_steer(uint64_t number)
{
    forge_results(
        number,
        "{\"damaged\":{\"dtype\":\"I64\",\"shape\":[1],\"data_offsets\":[0,8]},"
        "\"\\u001b[2J 100 of 100\":{\"dtype\":\"I64\",\"shape\":[1],\"data_offsets\":[8,16]},"
        "\"status\":{\"dtype\":\"I64\",\"shape\":[1],\"data_offsets\":[16,24]}}",
        24);
    int file = open("results.0", O_RDWR);
    off_t end = lseek(file, 0, SEEK_END);
    (void)!pwrite(file, "\2", 1, end - 24);
    close(file);
}

static enum vl_status names_that_steer(void)
{
    forge = write_names_that_steer;
    return VL_OK;
}
