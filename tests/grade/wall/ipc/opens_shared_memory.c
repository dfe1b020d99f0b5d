/* open: root user */
static int opens_shared_memory(void)
{
    return access("/dev/shm/@NAME@", R_OK) == 0;
}
