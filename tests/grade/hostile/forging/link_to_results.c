/* code: no_output unwritten */
/* To the inputs, which are a file of arrays too. Behind the wall it cannot be made. */
static enum vl_status link_to_results(void)
{
    unlink("results.0");
    (void)!symlink("../cases1/0/in0.st", "results.0");
    return VL_OK;
}
