/*
 * The filter of system calls, on its own: a child puts it in place and makes one call.
 */
#include "sandbox/syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/netlink.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define HIGH (1L << 32) /* a bit of an argument that the kernel does not look at */

struct call {
    long number;
    long arguments[6];
    int error; /* 0: it works */
};

static bool put_filter(enum vl_syscalls_allowed allowed)
{
    static struct sock_filter code[4096];
    int file;
    if (vl_syscalls_open(&file, allowed) != VL_OK)
        return false;
    ssize_t bytes = read(file, code, sizeof code);
    close(file);
    struct sock_fprog program = {.len = (unsigned short)((size_t)bytes / sizeof *code),
                                 .filter = code};
    return bytes > 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* What wait says of a child that made this call behind the filter: its errno, as an exit status. */
static int made(const struct call *call, enum vl_syscalls_allowed allowed)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        if (!put_filter(allowed))
            _exit(255);
        const long *a = call->arguments;
        long result = syscall(call->number, a[0], a[1], a[2], a[3], a[4], a[5]);
        _exit(result < 0 ? errno : 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void check(const struct call *calls, size_t count, enum vl_syscalls_allowed allowed)
{
    for (size_t i = 0; i < count; i++) {
        int status = made(&calls[i], allowed);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != calls[i].error)
            fail_msg("call %zu (number %ld): status %#x instead of error %d", i, calls[i].number,
                     (unsigned)status, calls[i].error);
    }
}

#define CHECK(calls, allowed) check(calls, sizeof(calls) / sizeof *(calls), allowed)

static const struct call namespaces[] = {
    {SYS_unshare, {0}, EPERM},
    {SYS_clone, {CLONE_NEWUSER | SIGCHLD}, EPERM},
    {SYS_clone, {CLONE_NEWNET | CLONE_NEWIPC | SIGCHLD}, EPERM},
    {SYS_clone3, {0}, ENOSYS},
    {SYS_chroot, {(long)"/"}, EPERM},
};

static void what_no_limit_counts_is_refused(void **state)
{
    static const struct call calls[] = {
        {SYS_memfd_create, {(long)"name"}, ENOSYS},
        {SYS_shmget, {IPC_PRIVATE, 4096, IPC_CREAT | 0600}, ENOSYS},
        {SYS_msgget, {IPC_PRIVATE, IPC_CREAT | 0600}, ENOSYS},
        {SYS_semget, {IPC_PRIVATE, 1, IPC_CREAT | 0600}, ENOSYS},
        {SYS_vmsplice, {0}, ENOSYS},
    };
    (void)state;
    CHECK(calls, VL_SYSCALLS_NONE);
}

static void others_and_the_clock_are_left_alone(void **state)
{
    static const unsigned long cores = 1;
    const struct call calls[] = {
        {SYS_ptrace, {PTRACE_TRACEME}, EPERM},
        {SYS_process_vm_readv, {0}, EPERM},
        {SYS_sched_setaffinity, {0, sizeof cores, (long)&cores}, EPERM},
        {SYS_setpriority, {PRIO_PROCESS, 0, 19}, EPERM},
    };
    (void)state;
    CHECK(calls, VL_SYSCALLS_NONE);
}

static void a_file_carries_no_news_to_others(void **state)
{
    static const struct flock lock = {.l_type = F_RDLCK, .l_len = 1};
    static const uint64_t hint = 3;
    static const struct call calls[] = {
        {SYS_flock, {0, LOCK_SH}, ENOSYS},
        {SYS_fcntl, {0, F_SETLK, (long)&lock}, ENOLCK},
        {SYS_fcntl, {0, F_SETLKW | HIGH, (long)&lock}, ENOLCK},
        {SYS_fcntl, {0, F_OFD_SETLK, (long)&lock}, ENOLCK},
        {SYS_fcntl, {0, F_SETLEASE, F_RDLCK}, ENOLCK},
        {SYS_fcntl, {0, F_NOTIFY}, ENOLCK},
        {SYS_fcntl, {0, F_SET_RW_HINT, (long)&hint}, ENOLCK},
        {SYS_fcntl, {0, F_SET_FILE_RW_HINT | HIGH, (long)&hint}, ENOLCK},
        {SYS_fcntl, {-1, F_GETFL}, EBADF},
        {SYS_inotify_init1, {0}, ENOSYS},
    };
    (void)state;
    CHECK(calls, VL_SYSCALLS_NONE);
}

static void what_of_a_file_is_in_memory_is_not_told(void **state)
{
    static const struct call calls[] = {
        {SYS_fadvise64, {-1, 0, 0, POSIX_FADV_DONTNEED}, ENOSYS},
        {SYS_readahead, {-1}, ENOSYS},
        {SYS_mincore, {0}, ENOSYS},
        {SYS_madvise, {0, 0, MADV_PAGEOUT}, EINVAL},
        {SYS_madvise, {0, 0, MADV_COLD | HIGH}, EINVAL},
        {SYS_madvise, {0, 0, MADV_DONTNEED}, 0},
        {SYS_preadv2, {-1, 0, 0, 0, 0, 8 /* RWF_NOWAIT */}, EOPNOTSUPP},
        {SYS_preadv2, {-1}, EBADF},
        {SYS_move_pages, {0}, ENOSYS},
        {SYS_migrate_pages, {0}, ENOSYS},
    };
    (void)state;
    CHECK(calls, VL_SYSCALLS_NONE);
}

static void pipes_do_not_show_what_others_take(void **state)
{
    static const struct call calls[] = {
        {SYS_fcntl, {-1, F_SETPIPE_SZ, 4096}, EPERM},
        {SYS_fcntl, {-1, F_SETPIPE_SZ | HIGH, 4096}, EPERM},
        {SYS_fcntl, {-1, F_GETPIPE_SZ}, EBADF},
    };
    (void)state;
    CHECK(calls, VL_SYSCALLS_NONE);
    CHECK(calls, VL_SYSCALLS_CABLES);
}

static void ranks_do_not_wake_each_other(void **state)
{
    static const uint32_t word;
    static const struct timespec now; /* without the filter they come back with ETIMEDOUT */
    const struct call calls[] = {
        {SYS_futex, {(long)&word, FUTEX_WAKE, 1}, ENOSYS},
        {SYS_futex, {(long)&word, FUTEX_WAKE | HIGH, 1}, ENOSYS},
        {SYS_futex, {(long)&word, FUTEX_CMP_REQUEUE, 0, 1, (long)&word}, ENOSYS},
        {SYS_futex, {(long)&word, FUTEX_WAIT, 0, (long)&now}, EAGAIN},
        {SYS_futex,
         {(long)&word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 0, (long)&now, 0, -1},
         EAGAIN},
        {SYS_futex, {(long)&word, FUTEX_WAKE_PRIVATE, 1}, 0},
        {SYS_fstatfs, {-1}, ENOSYS},
        {SYS_statfs, {(long)"/"}, ENOSYS},
    };
    static const struct call together[] = {{SYS_fstatfs, {-1}, EBADF}};
    (void)state;
    CHECK(calls, VL_SYSCALLS_WALLS);
    CHECK(calls, VL_SYSCALLS_CABLES);
    CHECK(together, VL_SYSCALLS_NONE);
}

static void only_the_internets_sockets_are_there(void **state)
{
    static int pair[2];
    const struct call calls[] = {
        {SYS_socket, {AF_INET, SOCK_STREAM}, 0},
        {SYS_socket, {AF_UNIX, SOCK_STREAM}, EAFNOSUPPORT},
        {SYS_socket, {AF_UNIX | HIGH, SOCK_STREAM}, EAFNOSUPPORT},
        {SYS_socket, {AF_NETLINK, SOCK_RAW}, EAFNOSUPPORT},
        {SYS_socketpair, {AF_UNIX, SOCK_STREAM, 0, (long)pair}, EAFNOSUPPORT},
    };
    (void)state;
    CHECK(calls, VL_SYSCALLS_NONE);
}

/* What leaves by another way is sent again, and reaches nobody who counts. */
static void packets_go_the_way_that_the_network_has_for_them(void **state)
{
    static const struct call calls[] = {
        {SYS_setsockopt, {-1, IPPROTO_IP, IP_OPTIONS}, EPERM},
        {SYS_setsockopt, {-1, IPPROTO_IP | HIGH, IP_OPTIONS | HIGH}, EPERM},
        {SYS_setsockopt, {-1, IPPROTO_IPV6, IPV6_RTHDR}, EPERM},
        {SYS_setsockopt, {-1, IPPROTO_IPV6, IPV6_2292RTHDR}, EPERM},
        {SYS_setsockopt, {-1, IPPROTO_IPV6, IPV6_2292PKTOPTIONS}, EPERM},
        {SYS_setsockopt, {-1, SOL_SOCKET, SO_BINDTODEVICE}, EPERM},
        {SYS_setsockopt, {-1, SOL_SOCKET, SO_BINDTOIFINDEX}, EPERM},
        {SYS_setsockopt, {-1, SOL_SOCKET, SO_DONTROUTE}, EPERM},
        {SYS_setsockopt, {-1, SOL_SOCKET, SO_MAX_PACING_RATE}, EPERM},
        {SYS_setsockopt, {-1, SOL_SOCKET, SO_REUSEADDR}, EBADF},
        {SYS_setsockopt, {-1, IPPROTO_TCP, TCP_NODELAY}, EBADF},
        {SYS_setsockopt, {-1, IPPROTO_IP, IP_TOS}, EBADF},
    };
    (void)state;
    CHECK(calls, VL_SYSCALLS_NONE);
    CHECK(calls, VL_SYSCALLS_CABLES);
}

static void nothing_is_typed_for_whoever_grades(void **state)
{
    static const struct call calls[] = {
        {SYS_ioctl, {-1, TIOCSTI}, EPERM},
        {SYS_ioctl, {-1, TIOCSTI | HIGH}, EPERM},
        {SYS_ioctl, {-1, TIOCGWINSZ}, EBADF},
    };
    (void)state;
    CHECK(calls, VL_SYSCALLS_NONE);
}

static void walls_are_put_up_only_where_that_is_allowed(void **state)
{
    static const struct call allowed[] = {{SYS_unshare, {0}, 0},
                                          {SYS_memfd_create, {(long)"name"}, ENOSYS}};
    (void)state;
    CHECK(namespaces, VL_SYSCALLS_NONE);
    CHECK(allowed, VL_SYSCALLS_WALLS);
}

static void networks_are_set_up_only_where_that_is_allowed(void **state)
{
    static const struct call around[] = {{SYS_unshare, {0}, 0},
                                         {SYS_socket, {AF_INET, SOCK_STREAM}, 0},
                                         {SYS_socket, {AF_UNIX, SOCK_STREAM}, EAFNOSUPPORT},
                                         {SYS_socket, {AF_NETLINK, SOCK_RAW, NETLINK_ROUTE}, 0},
                                         {SYS_flock, {-1, LOCK_SH}, EBADF}};
    static const struct call refused[] = {
        {SYS_socket, {AF_NETLINK, SOCK_RAW, NETLINK_USERSOCK}, EAFNOSUPPORT},
        {SYS_socket, {AF_NETLINK, SOCK_RAW, NETLINK_ROUTE | HIGH}, EAFNOSUPPORT},
        {SYS_socket, {AF_NETLINK | HIGH, SOCK_RAW, NETLINK_ROUTE}, EAFNOSUPPORT},
        {SYS_socket, {AF_PACKET, SOCK_RAW}, EAFNOSUPPORT}};
    (void)state;
    CHECK(around, VL_SYSCALLS_CABLES);
    CHECK(refused, VL_SYSCALLS_CABLES);
}

#ifdef __x86_64__
static void calls_of_other_abis_are_refused(void **state)
{
    static const struct call x32 = {0x40000000 + SYS_getpid, {0}, ENOSYS};
    (void)state;
    check(&x32, 1, VL_SYSCALLS_NONE);
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        int result = -1;
        signal(SIGSEGV, SIG_DFL); /* a kernel may not know the call; cmocka would catch it */
        if (put_filter(VL_SYSCALLS_NONE)) /* getpid of 32 bits */
            __asm__ volatile("int $0x80"
                             : "=a"(result)
                             : "a"(20)
                             : "memory", "r8", "r9", "r10", "r11");
        _exit(result == -ENOSYS ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_no_limit_counts_is_refused),
        cmocka_unit_test(others_and_the_clock_are_left_alone),
        cmocka_unit_test(a_file_carries_no_news_to_others),
        cmocka_unit_test(what_of_a_file_is_in_memory_is_not_told),
        cmocka_unit_test(pipes_do_not_show_what_others_take),
        cmocka_unit_test(ranks_do_not_wake_each_other),
        cmocka_unit_test(only_the_internets_sockets_are_there),
        cmocka_unit_test(packets_go_the_way_that_the_network_has_for_them),
        cmocka_unit_test(nothing_is_typed_for_whoever_grades),
        cmocka_unit_test(walls_are_put_up_only_where_that_is_allowed),
        cmocka_unit_test(networks_are_set_up_only_where_that_is_allowed),
#ifdef __x86_64__
        cmocka_unit_test(calls_of_other_abis_are_refused),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
