
static int reads_the_machines_secrets(void)
{
    return access("/etc/shadow", R_OK) == 0;
}
