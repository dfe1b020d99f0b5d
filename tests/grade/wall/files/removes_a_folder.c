/* open: root user */
static int removes_a_folder(void)
{
    return rmdir("@OPEN@/nothing") == 0;
}
