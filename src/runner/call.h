/*
 * The runner's side of a case: unpack the inputs, call the submission, pack what came out.
 *
 * Nothing here knows an expected value. Outputs are poisoned before the call. The runner's main
 * adds to every outputs bag the guards of its arrays (wire/guards.h), "status" (enum vl_status, I64),
 * what the meter counted during the call, "sent_bytes", "sent_messages", "received_bytes",
 * "received_messages" (I64), and "beacon" and "world_rank" (I64). It sends back the inputs, too, with
 * their guards: the grader looks whether something there has changed (grade/judge/outputs.h).
 *
 * A case on several ranks: all call at the same time, each with vl_case_comm(). Every rank's
 * inputs have the same arrays, but what other ranks hold is poison in them (catalogue/part.h).
 * After set-up traffic that is not the submission's, call vl_meter_reset().
 */
#ifndef VIALATA_RUNNER_CALL_H
#define VIALATA_RUNNER_CALL_H

#include "vialata/status.h"
#include "wire/bag.h"
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

/* The communicator of this case, fresh for it: all ranks, in the order of the world, or in
 * reverse order if the inputs say "reversed". In timed runs: all ranks. */
MPI_Comm vl_case_comm(void);

struct vl_call {
    const char *function; /* as in struct vl_case */
    /* Add (poisoned) outputs, call, return the submission's status. Any other failure:
     * VL_EINTERNAL. */
    enum vl_status (*run)(struct vl_bag *outputs, const struct vl_bag *inputs);
};

/* How a lab whose calls are in several files declares them, and defines one. */
typedef enum vl_status vl_call_function(struct vl_bag *outputs, const struct vl_bag *inputs);
#define VL_CALL(name)                                                                              \
    enum vl_status vl_call_##name(struct vl_bag *outputs, const struct vl_bag *inputs)

/* Its row in the lab's table, if it is graded under the name of the function. */
#define VL_CALLED(name)                                                                            \
    {                                                                                              \
        "vl_" #name, vl_call_##name                                                                \
    }

/* The next of several calls, unless one before it failed. */
#define VL_NEXT(status, call)                                                                      \
    do                                                                                             \
        if ((status) == VL_OK)                                                                     \
            (status) = (call);                                                                     \
    while (0)

/* A timed call. prepare makes fresh inputs from a seed, turn is what the clock sees, finish packs
 * the outputs (small enough to compare: whole arrays are fine), release frees. */
struct vl_timed_call {
    const char *function;
    enum vl_status (*prepare)(void **work, uint64_t seed);
    enum vl_status (*turn)(void *work);
    enum vl_status (*finish)(struct vl_bag *outputs, void *work);
    void (*release)(void *work);
};

/* The calls of one lab; each table ends with a NULL function. CMake makes the list from the folders
 * of src/grade/labs/: runner/calls.c defines vl_calls_<slug>, and runner/timed.c, if there is one,
 * vl_timed_<slug>. */
struct vl_runner_lab {
    const struct vl_call *calls;
    const struct vl_timed_call *timed; /* NULL: nothing is timed */
};
extern const struct vl_runner_lab vl_runner_labs[];
extern const size_t vl_runner_lab_count;

#endif
