/* open: root user */
static int lists_all_memory(void)
{
    char line[256];
    int seen = 0, key = 0;
    FILE *list = fopen("/proc/sysvipc/shm", "r");
    while (list != NULL && fgets(line, sizeof line, list) != NULL)
        seen |= sscanf(line, "%d", &key) == 1 && key == KEY;
    if (list != NULL)
        fclose(list);
    return seen;
}
