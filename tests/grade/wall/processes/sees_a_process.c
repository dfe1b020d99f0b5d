/* open: root user */
static int sees_a_process(void)
{
    FILE *status = fopen("/proc/@PID@/cmdline", "r");
    int seen = status != NULL && fgetc(status) == 'V';
    if (status != NULL)
        fclose(status);
    return seen;
}
