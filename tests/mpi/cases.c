/* What `vialata mpi` is tried with (check_mpi.py): its first argument chooses what it does. Somebody's program: it
 * knows nothing of Vialata. A line that the report must name ends in the name of its case. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, ranks;
static int wrong; /* it got other numbers than it should */
static char *self;

static void good(void)
{
    int sum = 0;
    char line[64] = "";
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && fgets(line, sizeof line, stdin) != NULL)
        printf("sum %d, read %s", sum, line);
}

/* Longer than a standstill takes to be seen: one rank computes, the others wait for it. */
static void patient(void)
{
    int x = 0;
    if (rank == 0)
        sleep(4);
    for (int other = 1; other < ranks && rank == 0; other++)
        MPI_Send(&x, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    if (rank != 0)
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void stop_parent(void)
{
    kill(getppid(), SIGSTOP);
}

/* mpirun never ends by itself. */
static void stops_mpirun(void)
{
    if (rank == 0)
        atexit(stop_parent);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ... and a rank has left before its MPI_Finalize. What Open MPI shares between processes stays. */
static void stops_mpirun_early(void)
{
    if (rank == 0) {
        FILE *job = fopen("job", "w");
        fputs(getenv("PMIX_NAMESPACE"), job);
        fclose(job);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        stop_parent();
        _exit(3);
    }
    _exit(0);
}

/* Four bytes are four bytes. */
static void mistaken(void)
{
    float real = 1;
    int whole = 0;
    if (rank == 0)
        MPI_Send(&real, 1, MPI_FLOAT, 1, 0, MPI_COMM_WORLD); /* mistaken */
    if (rank == 1)
        MPI_Recv(&whole, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void mistaken_together(void)
{
    float real = 1;
    int whole = 1;
    MPI_Bcast(rank == 1 ? (void *)&real : &whole, 1, rank == 1 ? MPI_FLOAT : MPI_INT,
              0, /* mistaken_together */
              MPI_COMM_WORLD);
}

/* Other names for the same numbers; bytes, and a type of its own, which may be anything; nothing at all. */
static void renamed(void)
{
    int32_t one[4] = {0};
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    if (rank == 0) {
        MPI_Send(one, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(one, 4, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(one, 2, pair, 1, 2, MPI_COMM_WORLD);
        MPI_Send(one, 0, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
    }
    if (rank == 1) {
        MPI_Recv(one, 4, MPI_UINT32_T, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(one, 16, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(one, 4, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(one, 4, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Bcast(one, rank == 0 ? 4 : 16, rank == 0 ? MPI_INT : MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Type_free(&pair);
}

static void ring(void)
{
    int x = 0, left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    MPI_Recv(&x, 1, MPI_INT, left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* ring */
    MPI_Send(&x, 1, MPI_INT, right, 7, MPI_COMM_WORLD);
}

static void short_of_one(void)
{
    int x = 0;
    if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* short_of_one */
}

/* More collectives than a board remembers come first. */
static void order(void)
{
    int x = 0, y = 0;
    for (int i = 0; i < 1000; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Barrier(MPI_COMM_WORLD); /* order */
        MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
    } else {
        MPI_Reduce(&x, &y, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* One rank leaves a loop of collectives too early: it is the last that the others wait for. */
static void straggler(void)
{
    for (int i = 0; i < 500 - (rank == 1); i++)
        MPI_Barrier(MPI_COMM_WORLD); /* straggler */
}

static void leaver(void)
{
    if (rank == 1)
        exit(0);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void unreceived(void)
{
    int x = 0;
    if (rank == 1)
        MPI_Send(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
}

static void unfinished(void)
{
    static int x;
    MPI_Request request;
    MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &request); /* unfinished */
}

/* The buffer is changed before the send is done. */
/* Two communicators over the same ranks, which may be used in any order. */
static void copies(void)
{
    MPI_Comm copy[2];
    MPI_Request request[2];
    int n = rank, first = rank % 2;
    for (int i = 0; i < 2; i++)
        MPI_Comm_idup(MPI_COMM_WORLD, &copy[i], &request[i]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 2; i++) {
        if ((first + i) % 2 == 0)
            MPI_Ibarrier(copy[0], &request[0]);
        else
            MPI_Ibcast(&n, 1, MPI_INT, 0, copy[1], &request[1]);
    }
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 2; i++)
        MPI_Comm_free(&copy[i]);
}

/* The same from communicators of which nobody saw how they were made. */
static void merged(void)
{
    MPI_Comm half, across, whole[2];
    MPI_Request request[2];
    int n = rank, first = rank % 2;
    MPI_Comm_split(MPI_COMM_WORLD, first, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - first, 4, &across);
    for (int i = 0; i < 2; i++)
        MPI_Intercomm_merge(across, first, &whole[i]);
    for (int i = 0; i < 2; i++) {
        if ((first + i) % 2 == 0)
            MPI_Ibarrier(whole[0], &request[0]);
        else
            MPI_Ibcast(&n, 1, MPI_INT, 0, whole[1], &request[1]);
    }
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 2; i++)
        MPI_Comm_free(&whole[i]);
    MPI_Comm_free(&across);
    MPI_Comm_free(&half);
}

/* The program goes on after a message that was too long. */
static void forgiving(void)
{
    int x[2] = {rank, rank};
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0)
        MPI_Send(x, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void nobody(void)
{
    int size;
    MPI_Comm_size(MPI_COMM_NULL, &size); /* nobody */
}

static void hasty(void)
{
    static int x[5000];
    MPI_Request request;
    if (rank == 0) {
        MPI_Isend(x, 5000, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* hasty */
        x[17] = 1;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Recv(x, 5000, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* Two receives are open into the same memory. */
static void shared(void)
{
    static int x;
    MPI_Request request[2];
    for (int i = 0; i < 2 && rank == 0; i++)
        MPI_Irecv(&x, 1, MPI_INT, 1, i, MPI_COMM_WORLD, &request[i]); /* shared */
    for (int i = 0; i < 2 && rank == 1; i++)
        MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

/* One collective has several calls, and they do not match. */
static void forms(void)
{
    int x = rank;
    MPI_Request request;
    if (rank == 0) {
        MPI_Ibcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD, &request); /* forms */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
}

/* The root says how much comes from all, and not from each. */
static void total(void)
{
    static int all[1000];
    int x = rank;
    MPI_Gather(&x, 1, MPI_INT, all, ranks, MPI_INT, 0, MPI_COMM_WORLD); /* total */
}

/* A circle as MPI knows it twice: what does not match on it is found as on any other communicator. */
static void circles(void)
{
    int x = 0, sum = 0, before = (rank + ranks - 1) % ranks, next = (rank + 1) % ranks, others[64];
    int degrees[64], all[2], weight = 1;
    MPI_Comm graph, spread;
    for (int i = 0; i < ranks; i++) {
        degrees[i] = i + 1;
        others[i] = (i + 1) % ranks;
    }
    MPI_Graph_create(MPI_COMM_WORLD, ranks, degrees, others, 0, &graph);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, &weight, 1, &next, &weight,
                                   MPI_INFO_NULL, 0, &spread);
    MPI_Neighbor_allgather(&x, 1, MPI_INT, all, 1, MPI_INT, spread);
    MPI_Bcast(&x, 1, MPI_INT, 0, graph);
    if (rank == 1)
        MPI_Barrier(spread); /* circles */
    else
        MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, spread);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&spread);
}

/* Both sides of an intercommunicator: the root's side names MPI_ROOT, the other one its rank. */
static void across(void)
{
    int x = 5, sum = 0, side = rank % 2;
    MPI_Comm half, both;
    MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 1, &both);
    MPI_Bcast(&x, 1, MPI_INT, side == 1 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, both);
    MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, both);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

/* Started and done, and never freed. */
static void persistent(void)
{
    static int x;
    MPI_Request request;
    if (rank == 0)
        MPI_Send_init(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* persistent */
    else
        MPI_Recv_init(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    if (rank < 2) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

/* Made, and neither started nor freed; another one is started. */
static void unstarted(void)
{
    static int x[2];
    MPI_Request request[2];
    if (rank != 1)
        return;
    MPI_Recv_init(&x[0], 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Start(&request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_Recv_init(&x[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request[1]); /* unstarted */
}

/* Ranks ask for messages until their time is up, while another waits for them. */
static void asking(void)
{
    int x = 0, there = 0;
    double until = MPI_Wtime() + 4;
    while (rank == 0 && MPI_Wtime() < until)
        MPI_Iprobe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    for (int other = 1; other < ranks && rank == 0; other++)
        MPI_Send(&x, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    if (rank != 0)
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* A child of the rank ends while the rank computes. */
static void parent(void)
{
    if (rank == 0 && fork() == 0)
        exit(0);
    if (rank == 0)
        sleep(4);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Two groups with rank 0 in both, made with one tag, one after the other. */
static void groups(void)
{
    MPI_Group all;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    for (int other = 1; other < 3; other++) {
        MPI_Group pair;
        MPI_Comm both;
        int x[2] = {0}, members[2] = {0, other};
        MPI_Group_incl(all, 2, members, &pair);
        if (rank == 0 || rank == other) {
            MPI_Comm_create_group(MPI_COMM_WORLD, pair, 7, &both);
            MPI_Bcast(x, other, MPI_INT, 0, both);
            MPI_Comm_free(&both);
        }
        MPI_Group_free(&pair);
    }
    MPI_Group_free(&all);
}

/* More open requests than a board shows, and what is waited for comes late. */
static void many(void)
{
    static int x[200];
    MPI_Request request[200];
    for (int i = 0; i < 200 && rank < 2; i++)
        if (rank == 0)
            MPI_Issend(&x[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &request[i]);
        else
            MPI_Irecv(&x[i], 1, MPI_INT, 0, 199 - i, MPI_COMM_WORLD, &request[i]);
    if (rank < 2)
        MPI_Waitall(200, request, MPI_STATUSES_IGNORE);
}

static void leak(void)
{
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy); /* leak */
}

/* The group of a communicator is the same one each time, and each has to be freed. */
static void group_leak(void)
{
    MPI_Group first, second, none;
    MPI_Comm_group(MPI_COMM_WORLD, &first);
    MPI_Comm_group(MPI_COMM_WORLD, &second); /* group_leak */
    MPI_Group_excl(first, 0, NULL, &none);
    MPI_Group_free(&first);
    MPI_Group_free(&none);
}

/* Two of them, of which one was never committed; all others are freed. One rank alone has none. */
static void type_leak(void)
{
    MPI_Datatype row, column, kept;
    if (rank == 1)
        return;
    MPI_Type_contiguous(4, MPI_INT, &row);
    MPI_Type_commit(&row);
    MPI_Type_dup(row, &kept);
    MPI_Type_vector(3, 1, 4, MPI_INT, &column); /* type_leak */
    MPI_Type_free(&kept);
}

static void larger(void *one, void *other, int *count, MPI_Datatype *type)
{
    int *x = one, *y = other;
    (void)type;
    for (int i = 0; i < *count; i++)
        y[i] = x[i] > y[i] ? x[i] : y[i];
}

static void operator_leak(void)
{
    int most = 0;
    MPI_Op op;
    if (rank == 0)
        MPI_Op_create(larger, 1, &op); /* operator_leak */
    if (rank != 0)
        MPI_Op_create(larger, 1, &op);
    MPI_Allreduce(&rank, &most, 1, MPI_INT, op, MPI_COMM_WORLD);
}

/* Every way to make a group: each is freed, some in another variable. */
static void tidy_groups(void)
{
    int x[2] = {0, 1}, range[1][3] = {{0, 0, 1}};
    MPI_Comm half, both;
    MPI_Win window;
    MPI_Group all, again, made[9], copy;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Comm_group(MPI_COMM_WORLD, &again);
    MPI_Group_incl(all, 0, x, &made[0]); /* MPI_GROUP_EMPTY, which nobody has to free */
    MPI_Group_incl(all, 2, x, &made[0]);
    MPI_Group_excl(all, 1, x, &made[1]);
    MPI_Group_range_incl(all, 1, range, &made[2]);
    MPI_Group_range_excl(all, 1, range, &made[3]);
    MPI_Group_union(made[0], made[1], &made[4]);
    MPI_Group_intersection(made[0], made[2], &made[5]);
    MPI_Group_difference(made[0], made[2], &made[6]);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 1, &both);
    MPI_Comm_remote_group(both, &made[7]);
    MPI_Win_create(x, sizeof x, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_get_group(window, &made[8]);
    MPI_Win_free(&window);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    copy = all;
    MPI_Group_free(&copy);
    MPI_Group_free(&again);
    for (int i = 0; i < 9; i++)
        MPI_Group_free(&made[i]);
}

/* Every way to make a type. One is freed while it is in use, and the handles of those that are gone come again. */
static void tidy_types(void)
{
    static int x[16];
    int one[2] = {2, 2}, lengths[2] = {1, 1}, places[2] = {0, 2}, way = MPI_DISTRIBUTE_BLOCK,
        share = MPI_DISTRIBUTE_DFLT_DARG;
    MPI_Aint bytes[2] = {0, 8};
    MPI_Datatype pair[2] = {MPI_INT, MPI_FLOAT}, made[12];
    MPI_Request request;
    for (int round = 0; round < 3; round++) {
        MPI_Type_contiguous(2, MPI_INT, &made[0]);
        MPI_Type_vector(2, 1, 2, MPI_INT, &made[1]);
        MPI_Type_create_hvector(2, 1, 8, MPI_INT, &made[2]);
        MPI_Type_indexed(2, lengths, places, MPI_INT, &made[3]);
        MPI_Type_create_hindexed(2, lengths, bytes, MPI_INT, &made[4]);
        MPI_Type_create_indexed_block(2, 1, places, MPI_INT, &made[5]);
        MPI_Type_create_hindexed_block(2, 1, bytes, MPI_INT, &made[6]);
        MPI_Type_create_struct(2, lengths, bytes, pair, &made[7]);
        MPI_Type_create_subarray(1, one, lengths, places, MPI_ORDER_C, MPI_INT, &made[8]);
        MPI_Type_create_darray(1, 0, 1, one, &way, &share, lengths, MPI_ORDER_C, MPI_INT, &made[9]);
        MPI_Type_dup(MPI_INT, &made[10]);
        MPI_Type_create_resized(MPI_INT, 0, 8, &made[11]);
        MPI_Type_commit(&made[1]);
        MPI_Isend(x, 1, made[1], MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
        for (int i = 0; i < 12; i++)
            MPI_Type_free(&made[i]);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static MPI_Datatype last_type;
static MPI_Op last_op;
static MPI_Request last_request;

static int clean_up(MPI_Comm comm, int key, void *attribute, void *extra)
{
    (void)comm, (void)key, (void)attribute, (void)extra;
    MPI_Type_free(&last_type);
    MPI_Op_free(&last_op);
    return MPI_Request_free(&last_request);
}

/* What is left is freed by a function that MPI_Finalize calls. */
static void tidy_at_the_end(void)
{
    static int x;
    int key, most = 0;
    MPI_Type_contiguous(2, MPI_INT, &last_type);
    MPI_Op_create(larger, 1, &last_op);
    MPI_Send_init(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &last_request);
    MPI_Allreduce(&rank, &most, 1, MPI_INT, last_op, MPI_COMM_WORLD);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, clean_up, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
}

static void tidy(void)
{
    tidy_groups();
    tidy_types();
    tidy_at_the_end();
}

static void truncated(void)
{
    int x[4] = {0};
    if (rank == 0)
        MPI_Send(x, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(x, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* truncated */
}

static void stranger(void)
{
    int x = 0;
    if (rank == 1)
        MPI_Send(&x, 1, MPI_INT, ranks, 0, MPI_COMM_WORLD); /* stranger */
}

/* It gives up, and says why itself. */
static void abort_all(void)
{
    if (rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 6);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void endless(void)
{
    if (rank == 0)
        for (;;)
            usleep(1000);
    MPI_Barrier(MPI_COMM_WORLD); /* endless */
}

/* ---- other programs ---- */

#define LATE 3 /* seconds: longer than a standstill takes to be seen */

/* The program that 'spawning' starts: it lets its parents wait three times. */
static void child(MPI_Comm parents)
{
    int x = 0, count;
    MPI_Comm all;
    MPI_Comm_remote_size(parents, &count);
    for (int i = 0; i < count; i++)
        MPI_Recv(&x, 1, MPI_INT, i, 1, parents, MPI_STATUS_IGNORE);
    sleep(LATE);
    for (int i = 0; i < count; i++)
        MPI_Send(&x, 1, MPI_INT, i, 2, parents);
    sleep(LATE);
    MPI_Send(&x, 1, MPI_INT, 0, 3, parents);
    MPI_Intercomm_merge(parents, 1, &all);
    sleep(LATE);
    MPI_Send(&x, 1, MPI_INT, 0, 3, all);
    MPI_Comm_free(&all);
}

/* Rank 1 waits for the child, and the others for rank 1, from which a message is on its way meanwhile. */
static void meet_child(MPI_Comm parents)
{
    int x = 5, y = 0;
    MPI_Request request;
    if (rank == 1) {
        MPI_Send(&x, 1, MPI_INT, 2, 4, MPI_COMM_WORLD);
        MPI_Sendrecv(&x, 1, MPI_INT, 0, 1, &y, 1, MPI_INT, 0, 2, parents, MPI_STATUS_IGNORE);
    } else {
        MPI_Isend(&x, 1, MPI_INT, 0, 1, parents, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Recv(&y, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank != 1) {
        MPI_Irecv(&y, 1, MPI_INT, 0, 2, parents, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    wrong |= y != 5;
}

/* Then rank 0 waits for any of them, and the others for rank 0. The intercommunicator is never freed. */
static void spawning(void)
{
    int y = 0;
    char *words[] = {"child", NULL};
    MPI_Comm parents, all;
    MPI_Comm_spawn(self, words, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &parents, MPI_ERRCODES_IGNORE);
    meet_child(parents);
    if (rank == 0)
        MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 3, parents, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Intercomm_merge(parents, 0, &all);
    if (rank == 0)
        MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 3, all, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&all);
}

/* A file is not looked at, and what is left behind besides is told. */
static void filing(void)
{
    MPI_File file;
    MPI_Comm copy;
    MPI_File_open(MPI_COMM_WORLD, "filing",
                  MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_close(&file);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy); /* filing */
}

/* ---- threads ---- */

#define ROUNDS  300
#define SEVERAL 80 /* requests: more than a wait keeps on its stack */

struct thread {
    pthread_t id;
    int tag, wrong;
    MPI_Comm comm;
};

/* Each thread talks to its likes on the other ranks, under its own tag, and on its own communicator. */
static void *talk(void *argument)
{
    struct thread *me = argument;
    int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    for (int round = 0; round < ROUNDS; round++) {
        int sent[SEVERAL], received[SEVERAL] = {0}, sum = 0, there = 0;
        MPI_Request request[2 * SEVERAL];
        MPI_Message message;
        MPI_Comm copy;
        for (int i = 0; i < SEVERAL; i++) {
            sent[i] = round * SEVERAL + i + me->tag;
            MPI_Irecv(&received[i], 1, MPI_INT, left, me->tag, MPI_COMM_WORLD, &request[i]);
        }
        for (int i = 0; i < SEVERAL; i++)
            MPI_Isend(&sent[i], 1, MPI_INT, right, me->tag, MPI_COMM_WORLD, &request[SEVERAL + i]);
        MPI_Waitall(2 * SEVERAL, request, MPI_STATUSES_IGNORE);
        me->wrong |= memcmp(sent, received, sizeof sent) != 0;
        MPI_Isend(sent, SEVERAL, MPI_INT, right, me->tag, me->comm, request);
        MPI_Mprobe(left, me->tag, me->comm, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(received, SEVERAL, MPI_INT, &message, MPI_STATUS_IGNORE);
        while (!there)
            MPI_Test(request, &there, MPI_STATUS_IGNORE);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, me->comm);
        me->wrong |= memcmp(sent, received, sizeof sent) != 0 || sum != ranks * (ranks - 1) / 2;
        if (round % 50 == 0) {
            MPI_Comm_dup(me->comm, &copy);
            MPI_Comm_free(&copy);
        }
    }
    return NULL;
}

/* Two threads of each rank are in MPI at once: the first one and another. On rank 1 they change places. */
static void talking(void)
{
    struct thread threads[2];
    int own = rank == 1, other = 1 - own;
    for (int i = 0; i < 2; i++) {
        threads[i] = (struct thread){.tag = i};
        MPI_Comm_dup(MPI_COMM_WORLD, &threads[i].comm);
    }
    pthread_create(&threads[other].id, NULL, talk, &threads[other]);
    talk(&threads[own]);
    pthread_join(threads[other].id, NULL);
    for (int i = 0; i < 2; i++) {
        wrong |= threads[i].wrong;
        MPI_Comm_free(&threads[i].comm);
    }
}

static void *give_late(void *argument)
{
    sleep(LATE);
    for (int i = 0; i < ranks; i++)
        MPI_Send(argument, 1, MPI_INT, i, 7, MPI_COMM_WORLD);
    return NULL;
}

/* The first threads wait for one another in a circle, and another one, which has not been in MPI yet, helps. */
static void helped(void)
{
    pthread_t helper;
    int x = 0, y = 0;
    if (rank == 0)
        pthread_create(&helper, NULL, give_late, &x);
    MPI_Recv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        pthread_join(helper, NULL);
}

static void *sleep_long(void *argument)
{
    sleep(1000);
    return argument;
}

/* ... and this one never does. */
static void helpless(void)
{
    pthread_t helper;
    int y = 0;
    pthread_create(&helper, NULL, sleep_long, NULL);
    MPI_Recv(&y, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* helpless */
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {{"good", good},
             {"patient", patient},
             {"stops_mpirun", stops_mpirun},
             {"mistaken", mistaken},
             {"mistaken_together", mistaken_together},
             {"renamed", renamed},
             {"stops_mpirun_early", stops_mpirun_early},
             {"ring", ring},
             {"order", order},
             {"straggler", straggler},
             {"short_of_one", short_of_one},
             {"leaver", leaver},
             {"unreceived", unreceived},
             {"unfinished", unfinished},
             {"leak", leak},
             {"group_leak", group_leak},
             {"type_leak", type_leak},
             {"operator_leak", operator_leak},
             {"unstarted", unstarted},
             {"tidy", tidy},
             {"truncated", truncated},
             {"stranger", stranger},
             {"nobody", nobody},
             {"copies", copies},
             {"merged", merged},
             {"forgiving", forgiving},
             {"hasty", hasty},
             {"shared", shared},
             {"forms", forms},
             {"asking", asking},
             {"parent", parent},
             {"groups", groups},
             {"many", many},
             {"total", total},
             {"across", across},
             {"circles", circles},
             {"persistent", persistent},
             {"abort_all", abort_all},
             {"spawning", spawning},
             {"filing", filing},
             {"talking", talking},
             {"helped", helped},
             {"helpless", helpless},
             {"endless", endless}};

int main(int argc, char **argv)
{
    int given;
    MPI_Comm parents;
    self = argv[0];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_get_parent(&parents);
    if (parents != MPI_COMM_NULL)
        child(parents);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (argc > 1 && strcmp(argv[1], cases[i].name) == 0)
            cases[i].run();
    MPI_Finalize();
    return argc > 2 ? atoi(argv[2]) : wrong;
}
