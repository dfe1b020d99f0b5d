#include "cli/mpi/printed.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum vl_status vl_printed_open(struct vl_printed *printed)
{
    int ends[2];
    *printed = (struct vl_printed){.out = -1, .in = -1};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return VL_EIO;
    printed->in = ends[0];
    printed->out = ends[1];
    fcntl(printed->in, F_SETFL, O_NONBLOCK);
    printed->text = calloc(1, VL_PRINTED_BYTES + 1);
    return printed->text != NULL ? VL_OK : VL_ENOMEM;
}

void vl_printed_take(struct vl_printed *printed)
{
    char piece[65536];
    ssize_t length;
    if (printed->in < 0)
        return;
    /* A pipe's worth at a time: a program that prints without end must not keep us here. */
    for (int round = 0; round < 16 && (length = read(printed->in, piece, sizeof piece)) > 0;
         round++) {
        size_t room = VL_PRINTED_BYTES - printed->kept;
        size_t taken = (size_t)length < room ? (size_t)length : room;
        memcpy(printed->text + printed->kept, piece, taken);
        printed->kept += taken;
    }
}

static void close_end(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

void vl_printed_started(struct vl_printed *printed)
{
    close_end(&printed->out);
}

void vl_printed_close(struct vl_printed *printed)
{
    close_end(&printed->out);
    close_end(&printed->in);
    free(printed->text);
    printed->text = NULL;
}
