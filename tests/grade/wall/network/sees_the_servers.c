/* open: root user */
static int sees_the_servers(void)
{
    char line[256], port[16];
    int seen = 0;
    FILE *list = fopen("/proc/net/tcp", "r");
    snprintf(port, sizeof port, ":%04X ", PORT);
    while (list != NULL && fgets(line, sizeof line, list) != NULL)
        seen |= strstr(line, port) != NULL;
    if (list != NULL)
        fclose(list);
    return seen;
}
