! What `vialata mpi` finds. A line that the report must name ends in the name of its case.
#include "ways.inc"

module wrong
    use making
    implicit none
contains

subroutine ring
    integer :: x
    call MPI_Recv(x, 1, MPI_INTEGER, left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE ERROR) ! ring
    call MPI_Send(x, 1, MPI_INTEGER, right, 7, MPI_COMM_WORLD ERROR)
end subroutine

! The second of two messages never comes.
subroutine short_of_one
    integer :: x(2)
    HANDLE(Request) :: requests(2)
    if (me == 1) call MPI_Send(x, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD ERROR)
    if (me /= 0) return
    call MPI_Irecv(x(1), 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, requests(1) ERROR)
    call MPI_Irecv(x(2), 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD, requests(2) ERROR)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE ERROR) ! short_of_one
end subroutine

subroutine order
    integer :: x, y
    x = 1
    if (me == 0) call MPI_Bcast(x, 1, MPI_INTEGER, 0, MPI_COMM_WORLD ERROR) ! order
    if (me /= 0) call MPI_Allreduce(x, y, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD ERROR)
    call MPI_Barrier(MPI_COMM_WORLD ERROR)
end subroutine

subroutine unfinished
    integer, save :: x
    HANDLE(Request) :: request
    call MPI_Irecv(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, request ERROR) ! unfinished
end subroutine

subroutine leak
    HANDLE(Comm) :: made
    call MPI_Comm_dup(MPI_COMM_WORLD, made ERROR) ! leak
end subroutine

! Two variables have the same group, and one is freed.
subroutine group_leak
    HANDLE(Group) :: first, second
    call MPI_Comm_group(MPI_COMM_WORLD, first ERROR)
    call MPI_Comm_group(MPI_COMM_WORLD, second ERROR) ! group_leak
    call MPI_Group_free(first ERROR)
end subroutine

subroutine type_leak
    HANDLE(Datatype) :: row, kept
    call MPI_Type_contiguous(4, MPI_INTEGER, row ERROR)
    call MPI_Type_vector(2, 1, 3, row, kept ERROR) ! type_leak
    call MPI_Type_free(row ERROR)
end subroutine

subroutine operator_leak
    HANDLE(Op) :: op
    call MPI_Op_create(larger, .true., op ERROR) ! operator_leak
end subroutine

subroutine unstarted
    integer, save :: x
    HANDLE(Request) :: request
    call MPI_Send_init(x, 1, MPI_INTEGER, right, 0, MPI_COMM_WORLD, request ERROR) ! unstarted
end subroutine

subroutine truncated
    integer :: x(2)
    x = me
    if (me == 1) call MPI_Send(x, 2, MPI_INTEGER, 0, 3, MPI_COMM_WORLD ERROR)
    if (me == 0) call MPI_Recv(x, 1, MPI_INTEGER, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE ERROR) ! truncated
end subroutine

! No wrapper knows this call.
subroutine refused
    integer :: n
    call MPI_Comm_size(MPI_COMM_NULL, n ERROR) ! refused
end subroutine

! A row of an array has gaps: the compiler sends a copy, and frees it at once. Somebody else uses that memory.
subroutine row
    integer, save :: x(2, 5000)
    integer, allocatable :: other(:)
    HANDLE(Request) :: request
    x = me
    if (me == 0) then
        call MPI_Isend(x(1, :), 5000, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, request ERROR) ! row
        allocate(other(5000))
        other = 7
        call MPI_Wait(request, MPI_STATUS_IGNORE ERROR)
    else if (me == 1) then
        call MPI_Recv(x, 5000, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE ERROR)
    end if
end subroutine

end module
