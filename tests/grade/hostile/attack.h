/*
 * What attempts share. check_hostile.py puts this text where a submission includes it.
 *
 * ATTACK { ... } defines the function that is graded: vl_rmsnorm_forward, in one case.
 */
#include "vialata/rmsnorm.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define UNUSED __attribute__((unused))
#define ATTACK                                                                                     \
    enum vl_status vl_rmsnorm_forward(UNUSED float *y, UNUSED float *inv_rms,                      \
                                      UNUSED const float *x, UNUSED const float *gain,             \
                                      UNUSED size_t n, UNUSED size_t d)

/* The right answer, for attempts that are after something else. */
UNUSED static void answer(float *y, float *inv_rms, const float *x, const float *gain, size_t n,
                          size_t d)
{
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < d; j++)
            sum += (double)x[i * d + j] * (double)x[i * d + j];
        inv_rms[i] = (float)(1 / sqrt(sum / (double)d + (double)VL_RMSNORM_EPS));
        for (size_t j = 0; j < d; j++)
            y[i * d + j] = gain[j] * x[i * d + j] * inv_rms[i];
    }
}
#define ANSWER answer(y, inv_rms, x, gain, n, d)

/* Tell the grader, on the board, that everything is finished; what is in the folder now counts. */
UNUSED static void finish_everything(void)
{
    int board = open("board.0", O_RDWR);
    (void)!pwrite(board, (int[2]){1, 1000000}, 8, 0);
    close(board);
}

/* A record in the results of rank 0, as the runner would append it. */
UNUSED static void forge_record(uint64_t number, const void *bytes, size_t n)
{
    uint64_t head[2] = {number, n};
    int file = open("results.0", O_WRONLY | O_APPEND);
    (void)!write(file, head, sizeof head);
    (void)!write(file, bytes, n);
    close(file);
}

UNUSED static void write_file(const char *name, const void *bytes, size_t n)
{
    int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    (void)!write(file, bytes, n);
    close(file);
}
