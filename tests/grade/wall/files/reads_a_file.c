/* open: root user */
static int reads_a_file(void)
{
    return access("@SECRET@", R_OK) == 0;
}
