/* code: unwritten */
static enum vl_status raises_its_limits(void)
{
    static const int limits[] = {RLIMIT_AS, RLIMIT_NPROC, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_CORE};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (setrlimit((__rlimit_resource_t)limits[i],
                      &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}) == 0)
            return VL_EIO;
    return VL_OK;
}
