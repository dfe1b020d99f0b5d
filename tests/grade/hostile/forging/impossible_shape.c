/* code: no_output */
static void write_impossible_shape(uint64_t number)
{
    forge_results(
        number,
        "{\"status\":{\"dtype\":\"I64\",\"shape\":[9223372036854775807,2305843009213693953],"
        "\"data_offsets\":[0,8]}}",
        8);
}

static enum vl_status impossible_shape(void)
{
    forge = write_impossible_shape;
    return VL_OK;
}
