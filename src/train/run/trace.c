#include "train/run/trace.h"

#include "base/file.h"
#include "comm/span.h"
#include "comm/trace/events.h"
#include "engine/schedule/schedule_text.h"
#include "train/log/log.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static struct vl_spans_one *pack(size_t *count)
{
    size_t lost;
    const struct vl_span *spans = vl_span_all(count, &lost);
    struct vl_spans_one *packed = calloc(*count + 1, sizeof *packed);
    for (size_t i = 0; packed != NULL && i < *count; i++) {
        packed[i] = (struct vl_spans_one){.kind = spans[i].kind,
                                          .peer = spans[i].peer,
                                          .begin = spans[i].begin,
                                          .end = spans[i].end,
                                          .bytes = spans[i].bytes,
                                          .number = spans[i].number};
        strncpy(packed[i].name, spans[i].name, sizeof packed[i].name - 1);
    }
    return packed;
}

/* The clocks of two hosts differ, so they are aligned at the moment when the ranks leave a barrier.
 * Zero is the begin of the earliest span of all ranks. */
static double common_zero(MPI_Comm comm, const struct vl_spans_one *spans, size_t count)
{
    PMPI_Barrier(comm);
    double now = vl_span_clock(), first = now, ago, longest;
    for (size_t i = 0; i < count; i++)
        if (spans[i].begin < first)
            first = spans[i].begin;
    ago = now - first;
    PMPI_Allreduce(&ago, &longest, 1, MPI_DOUBLE, MPI_MAX, comm);
    return now - longest;
}

/* Add the other ranks' spans, one rank at a time, each received into 'buffer'. */
static void collect(json_t *events, struct vl_spans_one *buffer, MPI_Comm comm, int ranks)
{
    for (int rank = 1; rank < ranks; rank++) {
        double zero;
        uint64_t count;
        PMPI_Recv(&count, 1, MPI_UINT64_T, rank, 0, comm, MPI_STATUS_IGNORE);
        PMPI_Recv(&zero, 1, MPI_DOUBLE, rank, 0, comm, MPI_STATUS_IGNORE);
        PMPI_Recv(buffer, (int)(count * sizeof *buffer), MPI_BYTE, rank, 0, comm,
                  MPI_STATUS_IGNORE);
        vl_trace_add_rank(events, buffer, count, rank, zero);
    }
}

/* A buffer on the first rank for the spans of any other. No rank sends before all have their
 * memory: the others would wait forever for a rank that gave up. */
static enum vl_status make_buffer(struct vl_spans_one **buffer, MPI_Comm comm, int rank,
                                  size_t count, int packed)
{
    uint64_t mine = count, most = count;
    int here = packed, everywhere;
    *buffer = NULL;
    if (comm == MPI_COMM_NULL)
        return packed ? VL_OK : VL_ENOMEM;
    PMPI_Allreduce(&mine, &most, 1, MPI_UINT64_T, MPI_MAX, comm);
    if (rank == 0)
        here = (*buffer = calloc(most + 1, sizeof **buffer)) != NULL && packed;
    PMPI_Allreduce(&here, &everywhere, 1, MPI_INT, MPI_MIN, comm);
    return everywhere ? VL_OK : VL_ENOMEM;
}

static void send_to_first(const struct vl_spans_one *spans, size_t count, double zero,
                          MPI_Comm comm)
{
    uint64_t sent = count;
    PMPI_Send(&sent, 1, MPI_UINT64_T, 0, 0, comm);
    PMPI_Send(&zero, 1, MPI_DOUBLE, 0, 0, comm);
    PMPI_Send(spans, (int)(count * sizeof *spans), MPI_BYTE, 0, 0, comm);
}

static double first_begin(const struct vl_spans_one *spans, size_t count)
{
    double first = 0;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || spans[i].begin < first)
            first = spans[i].begin;
    return first;
}

json_t *vl_trace_gather(MPI_Comm comm, uint64_t step, enum vl_status *status)
{
    int rank = 0, ranks = 1;
    size_t count;
    struct vl_spans_one *spans = pack(&count), *buffer;
    json_t *trace = NULL;
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &ranks);
    }
    *status = make_buffer(&buffer, comm, rank, count, spans != NULL);
    if (*status == VL_OK) {
        double zero =
            comm != MPI_COMM_NULL ? common_zero(comm, spans, count) : first_begin(spans, count);
        if (rank > 0) {
            send_to_first(spans, count, zero, comm);
        } else {
            json_t *events = json_array();
            vl_trace_add_rank(events, spans, count, 0, zero);
            collect(events, buffer, comm, ranks);
            trace = vl_trace_of(events, ranks, (int64_t)step);
            *status = trace != NULL ? VL_OK : VL_ENOMEM;
        }
    }
    free(buffer);
    free(spans);
    return trace;
}

/* Add the schedule; its rows are the lines of its text. */
static enum vl_status tell_pipeline(json_t *trace, const struct vl_trace_pipeline *pipeline)
{
    const struct vl_schedule *schedule = pipeline->schedule;
    json_t *about = json_object_get(trace, "otherData"), *rows = json_array(),
           *ranks = json_array();
    json_int_t count = json_integer_value(json_object_get(about, "ranks"));
    int failed = 0;
    for (size_t stage = 0; stage < schedule->stages; stage++) {
        char *row = vl_schedule_row_text(schedule, stage);
        failed |= row == NULL || json_array_append_new(rows, json_string(row)) != 0;
        free(row);
    }
    for (json_int_t rank = 0; rank < count; rank++)
        failed |= json_array_append_new(ranks, json_integer(pipeline->stages[rank])) != 0;
    json_t *told = json_pack(
        "{s:o, s:I, s:I, s:I, s:o, s:o}", "name", vl_log_text(pipeline->name), "stages",
        (json_int_t)schedule->stages, "chunks", (json_int_t)schedule->chunks, "micro_batches",
        (json_int_t)schedule->micro_batches, "tasks", rows, "stage_of_rank", ranks);
    failed |= json_object_set_new(about, "schedule", told) != 0;
    return failed ? VL_ENOMEM : VL_OK;
}

enum vl_status vl_trace_write(const char *path, MPI_Comm comm, uint64_t step,
                              const struct vl_trace_pipeline *pipeline, struct vl_problem *problem)
{
    enum vl_status status;
    json_t *trace = vl_trace_gather(comm, step, &status);
    if (trace == NULL)
        return status == VL_OK ? VL_OK : vl_problem_status(problem, status);
    if (pipeline != NULL && tell_pipeline(trace, pipeline) != VL_OK) {
        json_decref(trace);
        return vl_problem_status(problem, VL_ENOMEM);
    }
    char *text = json_dumps(trace, JSON_COMPACT);
    json_decref(trace);
    if (text == NULL)
        return vl_problem_status(problem, VL_ENOMEM);
    status = vl_file_write(path, text, strlen(text));
    free(text);
    return status == VL_OK ? VL_OK : vl_problem_writing(problem, path);
}
