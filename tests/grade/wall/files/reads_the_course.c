/* open: root user */
static int reads_the_course(void)
{
    return access("@COURSE@/bin/vialata", R_OK) == 0;
}
