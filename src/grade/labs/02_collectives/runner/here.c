#include "grade/labs/02_collectives/runner/here.h"

#include "comm/meter.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define WORD_TAG     16399 /* transfers and collectives use smaller ones */
#define WORD_SECONDS 4.0   /* that a rank waits for a word, at most */

struct vl_here vl_here(const struct vl_bag *inputs)
{
    struct vl_here here = {.comm = vl_case_comm(),
                           .tag = (int)vl_bag_int(inputs, "tag"),
                           .root = (int)vl_bag_int(inputs, "root"),
                           .n = vl_input_size(inputs, "n"),
                           .element_bytes = vl_input_size(inputs, "element_bytes")};
    MPI_Comm_rank(here.comm, &here.rank);
    MPI_Comm_size(here.comm, &here.ranks);
    here.bytes = here.n * here.element_bytes;
    return here;
}

const unsigned char *vl_own_bytes(const struct vl_bag *inputs, const char *name, size_t bytes)
{
    return (const unsigned char *)vl_bag_find(inputs, name)->data +
           (size_t)vl_here(inputs).rank * bytes;
}

size_t vl_row_floats(const struct vl_bag *inputs, const char *name)
{
    return vl_bag_find(inputs, name)->shape[1];
}

static const char *raw_name(char text[64], const char *name)
{
    snprintf(text, 64, "bytes of %s", name);
    return text;
}

void *vl_bytes_output(struct vl_bag *outputs, const char *name, size_t bytes)
{
    char raw[64];
    void *data = vl_bag_add(outputs, raw_name(raw, name), VL_U8, 1, &bytes);
    if (data != NULL)
        memset(data, VL_UNWRITTEN_BYTE, bytes);
    return data;
}

void *vl_bytes_in_place(struct vl_bag *outputs, const struct vl_bag *inputs, const char *name)
{
    size_t bytes = vl_bag_find(inputs, name)->shape[1];
    void *data = vl_bytes_output(outputs, name, bytes);
    if (data != NULL && bytes > 0)
        memcpy(data, vl_own_bytes(inputs, name, bytes), bytes);
    return data;
}

void vl_show_bytes(struct vl_bag *outputs, const struct vl_bag *inputs, const char *name)
{
    char raw[64];
    const struct vl_tensor_entry *bytes = vl_bag_find(outputs, raw_name(raw, name));
    size_t cols = vl_input_size(inputs, "element_bytes");
    if (bytes == NULL || cols == 0)
        return;
    float *shown = vl_bag_add_f32(outputs, name, bytes->count / cols, cols);
    vl_bag_poison(outputs, name);
    for (size_t i = 0; shown != NULL && i < bytes->count; i++) {
        unsigned char byte = ((const unsigned char *)bytes->data)[i];
        if (byte != VL_UNWRITTEN_BYTE)
            shown[i] = byte;
    }
}

void vl_word_send(MPI_Comm comm, int to)
{
    vl_meter_collective(0, 2);
    PMPI_Send(NULL, 0, MPI_BYTE, to, WORD_TAG, comm);
}

void vl_word_take(MPI_Comm comm, int from)
{
    PMPI_Recv(NULL, 0, MPI_BYTE, from, WORD_TAG, comm, MPI_STATUS_IGNORE);
}

int vl_word_comes(MPI_Comm comm, int from)
{
    int there = 0;
    const double end = MPI_Wtime() + WORD_SECONDS;
    const struct timespec pause = {.tv_nsec = 200000};
    for (; !there && MPI_Wtime() < end; nanosleep(&pause, NULL))
        PMPI_Iprobe(from, WORD_TAG, comm, &there, MPI_STATUS_IGNORE);
    if (there)
        vl_word_take(comm, from);
    return there;
}
