! Right: messages between two ranks, and requests.
#include "ways.inc"

module messages_and_requests
    use binding
    implicit none
contains

subroutine messages
    integer, parameter :: n = 100
    integer :: sent(n, 4), got(n, 4), i, round, done, which, indices(4), space(10 * n)
    POINTER(detached)
    logical :: flag
    HANDLE(Request) :: requests(4), one, other
    HANDLE(Message) :: message
    ANSWER(status)
    ANSWERS(statuses, 4)
    do i = 1, 4
        sent(:, i) = 10 * me + i
    end do
    got = 0

    call MPI_Sendrecv(sent, n, MPI_INTEGER, right, 1, got, n, MPI_INTEGER, left, 1, MPI_COMM_WORLD, status ERROR)
    call tell('sendrecv', got(n, 1) + FIELD(status, MPI_SOURCE))
    call MPI_Sendrecv(sent, n, MPI_INTEGER, right, 1, got, n, MPI_INTEGER, left, 1, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE ERROR)
    call MPI_Sendrecv_replace(got, 1, MPI_INTEGER, right, 2, left, 2, MPI_COMM_WORLD, status ERROR)
    call tell('replaced', got(1, 1) + FIELD(status, MPI_SOURCE))

    ! Every kind of send, received in every way.
    call MPI_Irecv(got(1, 1), n, MPI_INTEGER, left, 3, MPI_COMM_WORLD, requests(1) ERROR)
    call MPI_Irecv(got(1, 2), n, MPI_INTEGER, left, 4, MPI_COMM_WORLD, requests(2) ERROR)
    call MPI_Isend(sent(1, 1), n, MPI_INTEGER, right, 3, MPI_COMM_WORLD, requests(3) ERROR)
    call MPI_Issend(sent(1, 2), n, MPI_INTEGER, right, 4, MPI_COMM_WORLD, requests(4) ERROR)
    call MPI_Waitall(4, requests, statuses ERROR)
    call tell('waitall', got(n, 1) + got(n, 2) + FIELD_OF(statuses, 1, MPI_SOURCE) + FIELD_OF(statuses, 2, MPI_TAG))
    do i = 1, 4
        if (requests(i) /= MPI_REQUEST_NULL) stop 5
    end do

    do i = 1, 4
        call MPI_Irecv(got(1, i), n, MPI_INTEGER, left, i, MPI_COMM_WORLD, requests(i) ERROR)
    end do
    call MPI_Buffer_attach(space, 40 * n ERROR)
    call MPI_Barrier(MPI_COMM_WORLD ERROR)
    call MPI_Send(sent(1, 4), n, MPI_INTEGER, right, 1, MPI_COMM_WORLD ERROR)
    call MPI_Rsend(sent(1, 3), n, MPI_INTEGER, right, 2, MPI_COMM_WORLD ERROR)
    call MPI_Bsend(sent(1, 2), n, MPI_INTEGER, right, 3, MPI_COMM_WORLD ERROR)
    call MPI_Ssend(sent(1, 1), n, MPI_INTEGER, right, 4, MPI_COMM_WORLD ERROR)
    done = 0
    do i = 1, 4
        call MPI_Waitany(4, requests, which, status ERROR)
        done = done + which * got(n, which)
    end do
    call tell('waitany', done)
    call MPI_Waitany(4, requests, which, MPI_STATUS_IGNORE ERROR)
    call tell('nothing', which)

    call MPI_Irecv(got(1, 1), n, MPI_INTEGER, left, 5, MPI_COMM_WORLD, requests(1) ERROR)
    call MPI_Irecv(got(1, 2), n, MPI_INTEGER, left, 6, MPI_COMM_WORLD, requests(2) ERROR)
    call MPI_Barrier(MPI_COMM_WORLD ERROR)
    call MPI_Ibsend(sent(1, 2), n, MPI_INTEGER, right, 5, MPI_COMM_WORLD, requests(3) ERROR)
    call MPI_Irsend(sent(1, 1), n, MPI_INTEGER, right, 6, MPI_COMM_WORLD, requests(4) ERROR)
    i = 0
    do while (i < 4)
        call MPI_Waitsome(4, requests, done, indices, statuses ERROR)
        i = i + done
        if (any(indices(:done) < 1 .or. indices(:done) > 4)) stop 5
    end do
    call tell('waitsome', got(n, 1) * 2 + got(n, 2))
    call MPI_Buffer_detach(detached, i ERROR)

    ! The same by asking.
    do round = 1, 4
        do i = 1, 2
            call MPI_Irecv(got(1, i), n, MPI_INTEGER, left, i, MPI_COMM_WORLD, requests(i) ERROR)
            call MPI_Isend(sent(1, i + 2), n, MPI_INTEGER, right, i, MPI_COMM_WORLD, requests(i + 2) ERROR)
        end do
        done = 0
        do while (done < 4)
            select case (round)
            case (1)
                call MPI_Testall(4, requests, flag, statuses ERROR)
                if (flag) done = 4
            case (2)
                call MPI_Testany(4, requests, which, flag, status ERROR)
                if (flag .and. which /= MPI_UNDEFINED) done = done + 1
            case (3)
                call MPI_Testsome(4, requests, which, indices, MPI_STATUSES_IGNORE ERROR)
                done = done + which
            case (4)
                call MPI_Test(requests(done + 1), flag, status ERROR)
                if (flag) done = done + 1
            end select
        end do
        call tell('asked', got(1, 1) + got(n, 2))
    end do

    ! What is on its way.
    call MPI_Isend(sent, 3, MPI_INTEGER, right, 8, MPI_COMM_WORLD, one ERROR)
    call MPI_Probe(MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, status ERROR)
    call MPI_Get_count(status, MPI_INTEGER, i ERROR)
    call MPI_Recv(got, i, MPI_INTEGER, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, status ERROR)
    call MPI_Wait(one, MPI_STATUS_IGNORE ERROR)
    call tell('probed', 100 * i + FIELD(status, MPI_SOURCE))
    call MPI_Isend(sent, 3, MPI_INTEGER, right, 9, MPI_COMM_WORLD, one ERROR)
    flag = .false.
    do while (.not. flag)
        call MPI_Iprobe(left, 9, MPI_COMM_WORLD, flag, status ERROR)
    end do
    call MPI_Mprobe(left, 9, MPI_COMM_WORLD, message, status ERROR)
    call MPI_Mrecv(got, 3, MPI_INTEGER, message, status ERROR)
    call MPI_Wait(one, status ERROR)
    call MPI_Isend(sent(1, 2), 3, MPI_INTEGER, right, 9, MPI_COMM_WORLD, one ERROR)
    flag = .false.
    do while (.not. flag)
        call MPI_Improbe(left, 9, MPI_COMM_WORLD, flag, message, status ERROR)
    end do
    call MPI_Imrecv(got(1, 2), 3, MPI_INTEGER, message, other ERROR)
    call MPI_Wait(other, status ERROR)
    call MPI_Wait(one, MPI_STATUS_IGNORE ERROR)
    call tell('matched', 1000 * got(1, 1) + got(1, 2))

    ! Made once, started often.
    call MPI_Send_init(sent(1, 1), n, MPI_INTEGER, right, 11, MPI_COMM_WORLD, requests(1) ERROR)
    call MPI_Ssend_init(sent(1, 2), n, MPI_INTEGER, right, 12, MPI_COMM_WORLD, requests(2) ERROR)
    call MPI_Recv_init(got(1, 1), n, MPI_INTEGER, left, 11, MPI_COMM_WORLD, requests(3) ERROR)
    call MPI_Recv_init(got(1, 2), n, MPI_INTEGER, left, 12, MPI_COMM_WORLD, requests(4) ERROR)
    do round = 1, 3
        sent(:, 1) = round + me
        call MPI_Start(requests(3) ERROR)
        call MPI_Startall(2, requests ERROR)
        call MPI_Start(requests(4) ERROR)
        call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE ERROR)
        call tell('started', got(n, 1) * 100 + got(n, 2))
    end do
    do i = 1, 4
        call MPI_Request_free(requests(i) ERROR)
    end do
    call MPI_Bsend_init(sent, 1, MPI_INTEGER, right, 1, MPI_COMM_WORLD, requests(1) ERROR)
    call MPI_Rsend_init(sent, 1, MPI_INTEGER, right, 1, MPI_COMM_WORLD, requests(2) ERROR)
    call MPI_Request_free(requests(1) ERROR)
    call MPI_Request_free(requests(2) ERROR)
    call MPI_Irecv(got, 1, MPI_INTEGER, left, 99, MPI_COMM_WORLD, one ERROR)
    call MPI_Cancel(one ERROR)
    call MPI_Wait(one, status ERROR)
    call MPI_Test_cancelled(status, flag ERROR)
    call tell('cancelled', merge(1, 0, flag))
end subroutine

! Very many requests in one call, and short messages, whose requests look the same to C.
subroutine many
    integer :: x(200), y(200), i
    HANDLE(Request) :: sends(100), receives(100), both(200)
    ANSWERS(statuses, 200)
    x = [(me + i, i = 1, 200)]
    do i = 1, 100
        call MPI_Irecv(y(i), 1, MPI_INTEGER, left, i, MPI_COMM_WORLD, receives(i) ERROR)
        call MPI_Isend(x(i), 1, MPI_INTEGER, right, i, MPI_COMM_WORLD, sends(i) ERROR)
    end do
    do i = 100, 1, -1
        call MPI_Wait(sends(i), MPI_STATUS_IGNORE ERROR)
        x(i) = -i ! a request was done: its buffer, and no other, may be used
    end do
    call MPI_Waitall(100, receives, MPI_STATUSES_IGNORE ERROR)
    do i = 1, 100
        call MPI_Irecv(y(i), 1, MPI_INTEGER, left, i, MPI_COMM_WORLD, both(i) ERROR)
        call MPI_Isend(x(i), 1, MPI_INTEGER, right, i, MPI_COMM_WORLD, both(100 + i) ERROR)
    end do
    call MPI_Waitall(200, both, statuses ERROR)
    call tell('many', sum(y(:100)) + FIELD_OF(statuses, 100, MPI_TAG))
end subroutine

end module
