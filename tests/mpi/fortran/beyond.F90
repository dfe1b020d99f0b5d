! What is not watched, and runs as ever: another program that this one starts, files, and one-sided communication.
#include "ways.inc"

module beyond_this_program
    use binding
    implicit none
contains

! The other program is this one, which sends its parent a number.
subroutine beyond
    character(200) :: self
    character(20) :: words(2)
    integer :: x
    HANDLE(Comm) :: parent, child
    HANDLE(File) :: file
    HANDLE(Win) :: window
    integer(MPI_ADDRESS_KIND) :: bytes, there = 0
    integer, save, asynchronous :: y
    x = 17
    call MPI_Comm_get_parent(parent ERROR)
    if (parent /= MPI_COMM_NULL) then
        call MPI_Send(x, 1, MPI_INTEGER, 0, 3, parent ERROR)
        call MPI_Comm_disconnect(parent ERROR)
        return
    end if
    x = 0
    words = [character(20) :: 'beyond', ' ']
    call get_command_argument(0, self)
    call MPI_Comm_spawn(self, words, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, child, MPI_ERRCODES_IGNORE ERROR)
    if (me == 0) call MPI_Recv(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, 3, child, MPI_STATUS_IGNORE ERROR)
    call MPI_Comm_disconnect(child ERROR)
    call MPI_File_open(MPI_COMM_WORLD, 'beyond.file', MPI_MODE_CREATE + MPI_MODE_WRONLY + MPI_MODE_DELETE_ON_CLOSE, &
                       MPI_INFO_NULL, file ERROR)
    call MPI_File_close(file ERROR)
    bytes = 4
    y = me
    call MPI_Win_create(y, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window ERROR)
    call MPI_Win_fence(0, window ERROR)
    call MPI_Put(me, 1, MPI_INTEGER, right, there, 1, MPI_INTEGER, window ERROR)
    call MPI_Win_fence(0, window ERROR)
    call MPI_Win_free(window ERROR)
    call tell('beyond', x + 100 * y)
end subroutine

end module
