/* code: unwritten */
/* Nobody else can print: the runner must not wait for it. */
static enum vl_status holds_the_output(void)
{
    fputs("half a line", stdout);
    setvbuf(stdout, NULL, _IOFBF, 1 << 20);
    return VL_OK;
}
