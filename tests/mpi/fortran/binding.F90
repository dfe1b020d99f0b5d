! MPI in one of the three ways, and what every case needs.
#include "ways.inc"

module binding
#if defined(F08)
    use mpi_f08
    use iso_c_binding, only: c_ptr
    implicit none
#elif defined(OLD)
    implicit none
    include 'mpif.h'
#else
    use mpi
    implicit none
#endif
    integer :: ierr, me, ranks, left, right
contains

! The value of each rank, in order.
subroutine tell(what, value)
    character(*), intent(in) :: what
    integer, intent(in) :: value
    integer :: values(16)
    call MPI_Gather(value, 1, MPI_INTEGER, values, 1, MPI_INTEGER, 0, MPI_COMM_WORLD ERROR)
    if (me == 0) print '(a, *(1x, i0))', what, values(:ranks)
end subroutine

end module
