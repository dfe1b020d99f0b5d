/* open: root user */
static int lists_the_logs(void)
{
    return access("/var/log", R_OK) == 0;
}
