/*
 * Which transfers a rank has open, so that they can be polled while it computes. The linker (--wrap)
 * routes calls of the contracts of vialata/collectives.h through here.
 */
#include "simulate/ranks/state.h"

#include <string.h>

#define CONTRACT(name, ...)                                                                        \
    enum vl_status __real_##name(__VA_ARGS__);                                                     \
    enum vl_status __wrap_##name(__VA_ARGS__);                                                     \
    enum vl_status __wrap_##name(__VA_ARGS__)

/* Beyond so many, a transfer is not polled while its rank computes. */
static enum vl_status started(enum vl_status status, struct vl_transfer *const *transfer)
{
    struct vl_rank_state *state = vl_rank_state();
    if (status == VL_OK && *transfer != NULL && state->open_count < VL_SIMULATE_TRANSFERS)
        state->open[state->open_count++] = *transfer;
    return status;
}

CONTRACT(vl_reduce_scatter_start, struct vl_transfer **transfer, MPI_Comm comm, float *data,
         size_t n, int tag)
{
    return started(__real_vl_reduce_scatter_start(transfer, comm, data, n, tag), transfer);
}

CONTRACT(vl_all_gather_start, struct vl_transfer **transfer, MPI_Comm comm, void *data, size_t n,
         size_t element_bytes, int tag)
{
    return started(__real_vl_all_gather_start(transfer, comm, data, n, element_bytes, tag),
                   transfer);
}

CONTRACT(vl_all_reduce_start, struct vl_transfer **transfer, MPI_Comm comm, float *data, size_t n,
         int tag)
{
    return started(__real_vl_all_reduce_start(transfer, comm, data, n, tag), transfer);
}

CONTRACT(vl_transfer_finish, struct vl_transfer *transfer)
{
    struct vl_rank_state *state = vl_rank_state();
    size_t i = 0;
    while (i < state->open_count && state->open[i] != transfer)
        i++;
    if (i < state->open_count) {
        state->open_count--;
        memmove(&state->open[i], &state->open[i + 1],
                (state->open_count - i) * sizeof *state->open);
    }
    state->finishes++;
    enum vl_status status = __real_vl_transfer_finish(transfer);
    state->finishes--;
    return status;
}
