/* code: no_output unwritten */
/* Behind the wall it cannot be made. */
static enum vl_status pipe_of_results(void)
{
    unlink("results.0");
    mkfifo("results.0", 0600);
    return VL_OK;
}
