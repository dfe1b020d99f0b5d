/* code: unwritten */
static enum vl_status sets_bits(void)
{
    write_file("tool", "#!/bin/sh\n", 10);
    chmod("tool", 06777);
    chown("tool", 0, 0);
    chmod(".", 07777);
    return VL_OK;
}
