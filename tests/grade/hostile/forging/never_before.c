/* code: unwritten mpi_error */
/* Numbers on the board that nobody could have: phases, signals, traces, calls. */
static enum vl_status never_before(void)
{
    unsigned char noise[4096];
    memset(noise, 0xff, sizeof noise);
    memset(noise, 0, 4 * sizeof(int));
    int board = open("board.0", O_RDWR);
    (void)!pwrite(board, noise + 16, sizeof noise - 16, 16);
    close(board);
    return VL_OK;
}
