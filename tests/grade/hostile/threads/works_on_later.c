/* code: unwritten */
/* Alive over all cases that follow. */
static void *write_and_write(void *nothing)
{
    for (int i = 0; i < 2000; i++) {
        write_file("later", "\2\0\0\0\0\0\0\0{}", 10);
        usleep(500);
    }
    return nothing;
}

static enum vl_status works_on_later(void)
{
    pthread_t thread;
    return pthread_create(&thread, NULL, write_and_write, NULL) == 0 ? VL_OK : VL_EIO;
}
