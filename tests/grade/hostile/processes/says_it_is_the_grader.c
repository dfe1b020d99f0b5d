/* code: unwritten */
static enum vl_status says_it_is_the_grader(void)
{
    kill(getppid(), SIGUSR2);
    kill(getppid(), SIGCHLD);
    kill(getppid(), SIGWINCH);
    return VL_OK;
}
