/* open: root user */
static int reads_the_machines_users(void)
{
    return access("/etc/passwd", R_OK) == 0;
}
