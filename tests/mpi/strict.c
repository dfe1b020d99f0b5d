/* What `vialata mpi --strict` is tried with (check_strict.py): its first argument chooses what it does. A line that
 * the report must name ends in the name of its case. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { MANY = 3000, FEW = 100 };

static int rank;
static double x[MANY], y[MANY];

/* Rank 0 sends; rank 1 has begun to receive, and the message is there. */
static void begin(int sent, MPI_Request *request)
{
    *request = MPI_REQUEST_NULL;
    for (int i = 0; i < MANY; i++)
        x[i] = rank + i, y[i] = -1;
    if (rank == 0)
        MPI_Send(x, sent, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD);
}

static void end(MPI_Request *request)
{
    if (rank == 1)
        MPI_Wait(request, MPI_STATUS_IGNORE);
    double sum = 0;
    for (int i = 0; i < MANY; i++)
        sum += y[i];
    if (rank == 1)
        printf("%g\n", sum);
}

static void reads(void)
{
    double mean = 0;
    MPI_Request request;
    begin(FEW, &request);
    if (rank == 1)
        MPI_Irecv(y, MANY, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, &request); /* reads */
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < FEW; i++)
        mean += y[i] / FEW;
    if (rank == 1)
        MPI_Send(&mean, 1, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD);
    else if (rank == 0)
        MPI_Recv(&mean, 1, MPI_DOUBLE, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    end(&request);
}

static void sums(void)
{
    MPI_Request request;
    begin(FEW, &request);
    if (rank == 1)
        MPI_Irecv(y, FEW, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, &request); /* sums */
    MPI_Allreduce(MPI_IN_PLACE, rank == 1 ? y : x, FEW / 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    end(&request);
}

static void writes(void)
{
    MPI_Request request;
    begin(FEW, &request);
    if (rank == 1)
        MPI_Irecv(y, MANY, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, &request); /* writes */
    MPI_Barrier(MPI_COMM_WORLD);
    y[FEW / 2] = 7;
    end(&request);
}

/* What is behind a short message stays as it was. */
static void waits(void)
{
    MPI_Request request;
    begin(FEW, &request);
    if (rank == 1)
        MPI_Irecv(y, MANY, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    end(&request);
}

/* The request is still there when the message is used. */
static void asks(void)
{
    MPI_Request request;
    double mean = 0;
    begin(FEW, &request);
    if (rank == 1) {
        MPI_Irecv(y, FEW, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, &request);
        for (int there = 0; there == 0;)
            MPI_Request_get_status(request, &there, MPI_STATUS_IGNORE);
        mean = y[0] + y[FEW - 1];
        y[0] = mean;
        MPI_Send(&mean, 1, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD);
    } else if (rank == 0) {
        MPI_Recv(&mean, 1, MPI_DOUBLE, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    end(&request);
}

static void cancels(void)
{
    MPI_Request request;
    begin(FEW, &request);
    if (rank == 1) {
        MPI_Irecv(x, MANY, MPI_DOUBLE, 0, 8, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(x, MANY, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD); /* as it was: no stain */
        MPI_Irecv(y, FEW, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, &request);
    } else if (rank == 0) {
        MPI_Recv(y, MANY, MPI_DOUBLE, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    end(&request);
}

/* Its extent is as long as its data, but the data lies further apart. */
static void gaps(void)
{
    MPI_Datatype columns, packed;
    MPI_Request request;
    begin(FEW, &request);
    MPI_Type_vector(2, FEW / 2, MANY / 2, MPI_DOUBLE, &columns);
    MPI_Type_create_resized(columns, 0, FEW * sizeof *y, &packed);
    MPI_Type_commit(&packed);
    if (rank == 1)
        MPI_Irecv(y, 1, packed, 0, 5, MPI_COMM_WORLD, &request);
    end(&request);
    MPI_Type_free(&columns);
    MPI_Type_free(&packed);
}

/* One of two is refused, and the other one has come. */
static void some(void)
{
    double z = -1;
    int done = 0, indices[2];
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    begin(FEW, &requests[0]);
    if (rank == 0)
        MPI_Send(x, 2, MPI_DOUBLE, 1, 6, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Irecv(y, FEW, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&z, 1, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD, &requests[1]);
        for (int all = 0; all < 2; all += done)
            MPI_Waitsome(2, requests, &done, indices, statuses);
        printf("%g\n", y[FEW - 1]);
    }
}

/* MPI may let the root go on at once, or keep it until all are there. */
static void order(void)
{
    int n = rank;
    if (rank == 0) {
        MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); /* order */
        MPI_Send(&n, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    } else {
        if (rank == 1)
            MPI_Recv(&n, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"reads", reads}, {"sums", sums}, {"writes", writes},
                 {"waits", waits}, {"asks", asks}, {"cancels", cancels},
                 {"gaps", gaps},   {"some", some}, {"order", order}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (argc > 1 && strcmp(argv[1], cases[i].name) == 0)
            cases[i].run();
    MPI_Finalize();
    return 0;
}
