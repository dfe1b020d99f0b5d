
static int follows_its_root(void)
{
    return access("/proc/1/root@SECRET@", R_OK) == 0 && access("@SECRET@", R_OK) != 0;
}
