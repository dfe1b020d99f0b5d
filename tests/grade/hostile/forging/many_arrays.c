/* code: no_output */
/* As many arrays as 16 MiB can name. */
static void write_many_arrays(uint64_t number)
{
    size_t used = 1;
    char *header = malloc(16 << 20);
    header[0] = '{';
    for (int i = 0; i < 200000; i++)
        used += (size_t)sprintf(header + used, NOTHING("%d", "U8") ",", i);
    strcpy(header + used - 1, "}");
    forge_results(number, header, 0);
    free(header);
}

static enum vl_status many_arrays(void)
{
    forge = write_many_arrays;
    return VL_OK;
}
