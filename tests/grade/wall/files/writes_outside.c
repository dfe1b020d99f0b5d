/* open: root user */
static int writes_outside(void)
{
    FILE *file = fopen("@OPEN@/written", "w");
    int written = file != NULL;
    if (written)
        fclose(file);
    return written;
}
