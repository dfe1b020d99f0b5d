! Right: groups, types and operators, made in every way and freed.
#include "ways.inc"

module making
    use binding
    implicit none
contains

subroutine groups
    integer :: first(2), range(3, 1), size, found, i
    integer, save :: memory(2)
    integer(MPI_ADDRESS_KIND) :: bytes
    HANDLE(Group) :: all, made(9)
    HANDLE(Comm) :: half, both
    HANDLE(Win) :: window
    first = [0, 1]
    range(:, 1) = [0, 1, 1] ! from 0 to 1 in steps of 1
    bytes = 8
    call MPI_Comm_group(MPI_COMM_WORLD, all ERROR)
    call MPI_Group_incl(all, 0, first, made(1) ERROR)
    call tell('empty', merge(1, 0, made(1) == MPI_GROUP_EMPTY))
    call MPI_Group_incl(all, 2, first, made(1) ERROR)
    call MPI_Group_excl(all, 1, first, made(2) ERROR)
    call MPI_Group_range_incl(all, 1, range, made(3) ERROR)
    call MPI_Group_range_excl(all, 1, range, made(4) ERROR)
    call MPI_Group_union(made(1), made(2), made(5) ERROR)
    call MPI_Group_intersection(made(1), made(2), made(6) ERROR)
    call MPI_Group_difference(made(2), made(1), made(7) ERROR)
    call MPI_Comm_split(MPI_COMM_WORLD, mod(me, 2), me, half ERROR)
    call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - mod(me, 2), 1, both ERROR)
    call MPI_Comm_remote_group(both, made(8) ERROR)
    call MPI_Win_create(memory, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, window ERROR)
    call MPI_Win_get_group(window, made(9) ERROR)
    call MPI_Win_free(window ERROR)
    call MPI_Comm_free(both ERROR)
    call MPI_Comm_free(half ERROR)
    do i = 1, 9
        call MPI_Group_size(made(i), size ERROR)
        call MPI_Group_rank(made(i), found ERROR)
        call tell('group', 100 * size + max(found, -1))
        call MPI_Group_free(made(i) ERROR)
        call tell('gone', merge(1, 0, made(i) == MPI_GROUP_NULL))
    end do
    call MPI_Group_free(all ERROR)
end subroutine

subroutine types
    integer :: size, i, lengths(2), places(2), sizes(1), parts(1), ways(1), shares(1)
    integer(MPI_ADDRESS_KIND) :: bytes(2), low, extent
    HANDLE(Datatype) :: several(2), made(12)
    lengths = [1, 2]
    places = [0, 3]
    bytes = [0, 16]
    several(1) = MPI_INTEGER
    several(2) = MPI_DOUBLE_PRECISION
    sizes = 8
    parts = 2
    ways = MPI_DISTRIBUTE_BLOCK
    shares = MPI_DISTRIBUTE_DFLT_DARG
    call MPI_Type_contiguous(3, MPI_INTEGER, made(1) ERROR)
    call MPI_Type_vector(2, 1, 3, MPI_INTEGER, made(2) ERROR)
    call MPI_Type_create_hvector(2, 2, bytes(2), MPI_INTEGER, made(3) ERROR)
    call MPI_Type_indexed(2, lengths, places, MPI_INTEGER, made(4) ERROR)
    call MPI_Type_create_hindexed(2, lengths, bytes, MPI_INTEGER, made(5) ERROR)
    call MPI_Type_create_indexed_block(2, 2, places, MPI_INTEGER, made(6) ERROR)
    call MPI_Type_create_hindexed_block(2, 1, bytes, MPI_INTEGER, made(7) ERROR)
    call MPI_Type_create_struct(2, lengths, bytes, several, made(8) ERROR)
    call MPI_Type_create_subarray(1, sizes, parts, places, MPI_ORDER_FORTRAN, MPI_INTEGER, made(9) ERROR)
    call MPI_Type_create_darray(2, 1, 1, sizes, ways, shares, parts, MPI_ORDER_FORTRAN, MPI_INTEGER, made(10) ERROR)
    call MPI_Type_dup(MPI_DOUBLE_PRECISION, made(11) ERROR)
    call MPI_Type_create_resized(MPI_INTEGER, bytes(1), bytes(2), made(12) ERROR)
    do i = 1, 12
        call MPI_Type_commit(made(i) ERROR)
        call MPI_Type_size(made(i), size ERROR)
        call MPI_Type_get_extent(made(i), low, extent ERROR)
        call tell('type', 1000 * size + int(extent))
        call MPI_Type_free(made(i) ERROR)
        call tell('gone', merge(1, 0, made(i) == MPI_DATATYPE_NULL))
    end do
end subroutine

! MPI tells it the type as Fortran knows it.
#ifdef F08
subroutine larger(one, other, n, type)
    use iso_c_binding, only: c_ptr, c_f_pointer
    type(c_ptr), value :: one, other
    integer :: n
    type(MPI_Datatype) :: type
    integer, pointer :: x(:), y(:)
    call c_f_pointer(one, x, [n])
    call c_f_pointer(other, y, [n])
#else
subroutine larger(x, y, n, type)
    integer :: n, x(n), y(n), type
#endif
    y = merge(max(x, y), -1, type == MPI_INTEGER)
end subroutine

subroutine operators
    integer :: most
    HANDLE(Op) :: op
    call MPI_Op_create(larger, .true., op ERROR)
    call MPI_Allreduce(me, most, 1, MPI_INTEGER, op, MPI_COMM_WORLD ERROR)
    call tell('largest', most)
    call MPI_Op_free(op ERROR)
    call tell('gone', merge(1, 0, op == MPI_OP_NULL))
end subroutine

end module
