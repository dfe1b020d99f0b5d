! Right: collectives, communicators.
#include "ways.inc"

module collectives_and_communicators
    use binding
    implicit none
contains

subroutine collectives
    integer :: x(8), y(8), many(64), counts(8), places(8), bytes(8), share(8), into(16, 14), i
    double precision :: sums(3)
    HANDLE(Datatype) :: types(8)
    HANDLE(Request) :: requests(17)
    x = me + 1
    y = 0
    counts = 2
    share = 1
    places = [(2 * (i - 1), i = 1, 8)]
    many = 0
    call MPI_Barrier(MPI_COMM_WORLD ERROR)
    if (me == 1) x(1) = 77
    call MPI_Bcast(x, 1, MPI_INTEGER, 1, MPI_COMM_WORLD ERROR)
    call tell('bcast', x(1))
    call MPI_Reduce(x, y, 2, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD ERROR)
    call tell('reduce', y(2))
    sums = [1d0, dble(me), 0.5d0]
    call MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD ERROR)
    call tell('in place', nint(10 * sum(sums)))
    call MPI_Allreduce(x, y, 8, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD ERROR)
    call tell('max', y(8))
    call MPI_Scan(x, y, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD ERROR)
    call tell('scan', y(2))
    y = 0
    call MPI_Exscan(x, y, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD ERROR)
    call tell('exscan', y(2))
    many = me + [(i, i = 1, 64)]
    call MPI_Reduce_scatter_block(many, y, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD ERROR)
    call tell('block', y(2))
    call MPI_Reduce_scatter(many, y, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD ERROR)
    call tell('uneven', y(2))
    call MPI_Gather(x(2), 2, MPI_INTEGER, many, 2, MPI_INTEGER, 0, MPI_COMM_WORLD ERROR)
    call tell('gather', sum(many(:2 * ranks)))
    if (me == 0) call MPI_Gather(MPI_IN_PLACE, 2, MPI_INTEGER, many, 2, MPI_INTEGER, 0, MPI_COMM_WORLD ERROR)
    if (me /= 0) call MPI_Gather(x, 2, MPI_INTEGER, many, 2, MPI_INTEGER, 0, MPI_COMM_WORLD ERROR)
    call tell('gather', sum(many(:2 * ranks)))
    call MPI_Gatherv(x(3), 2, MPI_INTEGER, many, counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD ERROR)
    call tell('gatherv', sum(many(:2 * ranks)))
    call MPI_Scatter(many, 2, MPI_INTEGER, y, 2, MPI_INTEGER, 0, MPI_COMM_WORLD ERROR)
    call tell('scatter', sum(y(:2)))
    if (me == 0) call MPI_Scatter(many, 2, MPI_INTEGER, MPI_IN_PLACE, 2, MPI_INTEGER, 0, MPI_COMM_WORLD ERROR)
    if (me /= 0) call MPI_Scatter(many, 2, MPI_INTEGER, y, 2, MPI_INTEGER, 0, MPI_COMM_WORLD ERROR)
    call MPI_Scatterv(many, counts, places, MPI_INTEGER, y, 2, MPI_INTEGER, 0, MPI_COMM_WORLD ERROR)
    call tell('scatterv', sum(y(:2)))
    call MPI_Allgather(x(2), 2, MPI_INTEGER, many, 2, MPI_INTEGER, MPI_COMM_WORLD ERROR)
    call tell('allgather', sum(many(:2 * ranks)))
    call MPI_Allgatherv(x(3), 2, MPI_INTEGER, many, counts, places, MPI_INTEGER, MPI_COMM_WORLD ERROR)
    call tell('allgatherv', sum(many(:2 * ranks)))
    many(:ranks) = [(10 * me + i, i = 1, ranks)]
    call MPI_Alltoall(many, 1, MPI_INTEGER, y, 1, MPI_INTEGER, MPI_COMM_WORLD ERROR)
    call tell('alltoall', sum(y(:ranks) * [(i, i = 1, ranks)]))
    call MPI_Alltoallv(many, share, places, MPI_INTEGER, many(33), share, places, MPI_INTEGER, MPI_COMM_WORLD ERROR)
    call tell('alltoallv', sum(many(33:32 + 2 * ranks)))
    types = MPI_INTEGER
    bytes = 4 * places
    call MPI_Alltoallw(many, share, bytes, types, many(33), share, bytes, types, MPI_COMM_WORLD ERROR)
    call tell('alltoallw', sum(many(33:32 + 2 * ranks)))

    ! All of them at once.
    into = 0
    call MPI_Ibarrier(MPI_COMM_WORLD, requests(1) ERROR)
    call MPI_Ibcast(x(8), 1, MPI_INTEGER, 0, MPI_COMM_WORLD, requests(2) ERROR)
    call MPI_Ireduce(me, into(1, 1), 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, requests(3) ERROR)
    call MPI_Iallreduce(MPI_IN_PLACE, x(7), 1, MPI_INTEGER, MPI_PROD, MPI_COMM_WORLD, requests(4) ERROR)
    call MPI_Iscan(me, into(1, 2), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(5) ERROR)
    call MPI_Iexscan(me, into(1, 3), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(6) ERROR)
    call MPI_Ireduce_scatter(many, into(1, 4), share, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(7) ERROR)
    call MPI_Ireduce_scatter_block(many, into(1, 5), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(8) ERROR)
    call MPI_Igather(x, 2, MPI_INTEGER, into(1, 6), 2, MPI_INTEGER, 0, MPI_COMM_WORLD, requests(9) ERROR)
    call MPI_Igatherv(x, 2, MPI_INTEGER, into(1, 7), counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD, requests(10) ERROR)
    call MPI_Iscatter(many, 2, MPI_INTEGER, into(1, 8), 2, MPI_INTEGER, 0, MPI_COMM_WORLD, requests(11) ERROR)
    call MPI_Iscatterv(many, counts, places, MPI_INTEGER, into(1, 9), 2, MPI_INTEGER, 0, MPI_COMM_WORLD, &
                       requests(12) ERROR)
    call MPI_Iallgather(x, 2, MPI_INTEGER, into(1, 10), 2, MPI_INTEGER, MPI_COMM_WORLD, requests(13) ERROR)
    call MPI_Iallgatherv(x, 2, MPI_INTEGER, into(1, 11), counts, places, MPI_INTEGER, MPI_COMM_WORLD, &
                         requests(14) ERROR)
    call MPI_Ialltoall(many, 2, MPI_INTEGER, into(1, 12), 2, MPI_INTEGER, MPI_COMM_WORLD, requests(15) ERROR)
    call MPI_Ialltoallv(many, counts, places, MPI_INTEGER, into(1, 13), counts, places, MPI_INTEGER, &
                        MPI_COMM_WORLD, requests(16) ERROR)
    call MPI_Ialltoallw(many, share, bytes, types, into(1, 14), share, bytes, types, MPI_COMM_WORLD, &
                        requests(17) ERROR)
    call MPI_Waitall(17, requests, MPI_STATUSES_IGNORE ERROR)
    if (me == 0) into(1, 3) = 0 ! nobody gives it anything
    do i = 1, 14
        call tell('started', sum(into(:, i)))
    end do
    call tell('started', x(7) + x(8))
end subroutine

subroutine communicators
    integer :: sum, members(1), i
    logical :: yes(1), no(1), weighted
    HANDLE(Comm) :: made, part
    HANDLE(Group) :: everybody, group
    HANDLE(Request) :: request
    yes = .true.
    no = .false.
    call MPI_Comm_dup(MPI_COMM_WORLD, made ERROR)
    call MPI_Comm_split(made, mod(me, 2), -me, part ERROR)
    call MPI_Allreduce(me, sum, 1, MPI_INTEGER, MPI_SUM, part ERROR)
    call tell('split', sum)
    call MPI_Comm_free(part ERROR)
    call MPI_Comm_disconnect(made ERROR)
    call MPI_Comm_split(MPI_COMM_WORLD, merge(1, MPI_UNDEFINED, me == 0), 0, part ERROR)
    call tell('undefined', merge(1, 0, part == MPI_COMM_NULL))
    if (me == 0) call MPI_Comm_free(part ERROR)
    call MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, made ERROR)
    call MPI_Comm_free(made ERROR)
    call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, made ERROR)
    call MPI_Comm_size(made, sum ERROR)
    call tell('shared', sum)
    call MPI_Comm_free(made ERROR)

    members = 1
    call MPI_Comm_group(MPI_COMM_WORLD, everybody ERROR)
    call MPI_Group_excl(everybody, 1, members, group ERROR)
    call MPI_Comm_create(MPI_COMM_WORLD, group, made ERROR)
    sum = 0
    if (me /= 1) then
        call MPI_Allreduce(me, sum, 1, MPI_INTEGER, MPI_SUM, made ERROR)
        call MPI_Comm_free(made ERROR)
        call MPI_Comm_create_group(MPI_COMM_WORLD, group, 5, made ERROR)
        call MPI_Barrier(made ERROR)
        call MPI_Comm_free(made ERROR)
    end if
    call tell('created', sum)
    call MPI_Group_free(group ERROR)
    call MPI_Group_free(everybody ERROR)

    members = ranks
    call MPI_Cart_create(MPI_COMM_WORLD, 1, members, yes, .false., made ERROR)
    call MPI_Cart_shift(made, 0, 1, sum, members(1) ERROR)
    call tell('around', 10 * sum + members(1))
    call MPI_Cart_sub(made, no, part ERROR)
    call MPI_Comm_size(part, sum ERROR)
    call tell('alone', sum)
    call MPI_Comm_free(part ERROR)
    call MPI_Comm_free(made ERROR)

    call MPI_Graph_create(MPI_COMM_WORLD, ranks, [(i, i = 1, ranks)], [(mod(i, ranks), i = 1, ranks)], .true., &
                          made ERROR)
    call MPI_Graph_neighbors_count(made, me, sum ERROR)
    call tell('neighbours', sum)
    call MPI_Comm_free(made ERROR)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [mod(me + 1, ranks)], MPI_UNWEIGHTED, 1, &
                                        [mod(me + ranks - 1, ranks)], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., &
                                        made ERROR)
    call MPI_Dist_graph_neighbors_count(made, sum, members(1), weighted ERROR)
    call tell('spread', merge(100, 0, weighted) + 10 * sum + members(1))
    call MPI_Comm_free(made ERROR)
    call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [me], [1], [mod(me + 1, ranks)], [me + 3], MPI_INFO_NULL, .false., &
                               made ERROR)
    call MPI_Dist_graph_neighbors_count(made, sum, members(1), weighted ERROR)
    call tell('weighted', merge(100, 0, weighted) + 10 * sum + members(1))
    call MPI_Comm_free(made ERROR)

    call MPI_Comm_idup(MPI_COMM_WORLD, made, request ERROR)
    call MPI_Wait(request, MPI_STATUS_IGNORE ERROR)
    call MPI_Barrier(made ERROR)
    call MPI_Comm_free(made ERROR)
end subroutine

! Data that is named by its address alone.
subroutine addresses
    integer, save :: x(6)
    integer(MPI_ADDRESS_KIND) :: places(1)
    integer :: lengths(1)
    HANDLE(Datatype) :: types(1), type
    x = me
    lengths = 6
    types = MPI_INTEGER
    call MPI_Get_address(x, places(1) ERROR)
    call MPI_Type_create_struct(1, lengths, places, types, type ERROR)
    call MPI_Type_commit(type ERROR)
    call MPI_Bcast(MPI_BOTTOM, 1, type, 1, MPI_COMM_WORLD ERROR)
    call tell('bottom', x(6))
    call MPI_Sendrecv_replace(MPI_BOTTOM, 1, type, right, 0, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE ERROR)
    call MPI_Type_free(type ERROR)
end subroutine

end module
