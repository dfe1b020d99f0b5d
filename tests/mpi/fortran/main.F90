! The first argument chooses what the program does.
#include "ways.inc"

program main
    use messages_and_requests
    use collectives_and_communicators
    use making
    use wrong
    use beyond_this_program
    character(20) :: word
    integer :: given
    call get_command_argument(1, word)
    if (word == 'threads') then
        call MPI_Init_thread(MPI_THREAD_MULTIPLE, given ERROR)
    else
        call MPI_Init(ierr)
    end if
    call MPI_Comm_rank(MPI_COMM_WORLD, me ERROR)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks ERROR)
    left = mod(me + ranks - 1, ranks)
    right = mod(me + 1, ranks)
    select case (word)
    case ('good')
        call messages
        call collectives
        call communicators
        call addresses
        call many
        call groups
        call types
        call operators
    case ('threads')
        call tell('threads', merge(1, 0, given >= MPI_THREAD_SERIALIZED))
    case ('beyond')
        call beyond
    case ('ring')
        call ring
    case ('short_of_one')
        call short_of_one
    case ('order')
        call order
    case ('unfinished')
        call unfinished
    case ('leak')
        call leak
    case ('group_leak')
        call group_leak
    case ('type_leak')
        call type_leak
    case ('operator_leak')
        call operator_leak
    case ('unstarted')
        call unstarted
    case ('truncated')
        call truncated
    case ('refused')
        call refused
    case ('row')
        call row
    case ('leaver')
        if (me == 1) stop
        call MPI_Barrier(MPI_COMM_WORLD ERROR)
    case ('abort')
        call MPI_Abort(MPI_COMM_WORLD, 6 ERROR)
    end select
    call MPI_Finalize(ierr)
end program
