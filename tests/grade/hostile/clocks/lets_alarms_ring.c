/* code: unwritten */
static enum vl_status lets_alarms_ring(void)
{
    signal(SIGALRM, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    ualarm(1000, 1000);
    return VL_OK;
}
