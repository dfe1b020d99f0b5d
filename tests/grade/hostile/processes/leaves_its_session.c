/* code: unwritten */
static enum vl_status leaves_its_session(void)
{
    if (fork() == 0) {
        setsid();
        prctl(PR_SET_PDEATHSIG, 0);
        prctl(PR_SET_NAME, "vialata");
        sleep(1000);
    }
    return VL_OK;
}
