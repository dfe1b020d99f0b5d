#include "sandbox/syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/netlink.h>
#include <linux/sched.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/* Calls by name, so that what an older libseccomp does not know costs only itself. */
struct refusal {
    uint32_t error;
    const char *const *calls; /* ended by NULL */
};

static const struct refusal always[] = {
    /* Memory that outlives its mapping and counts for no process. A page lent to a pipe can hold on
     * to two megabytes. */
    {ENOSYS, (const char *const[]){"memfd_create", "memfd_secret", "shmget", "semget", "msgget",
                                   "mq_open", "vmsplice", "io_setup", NULL}},
    /* Other processes. What pins cores and sets priorities is the grader. */
    {EPERM, (const char *const[]){"ptrace", "process_vm_readv", "process_vm_writev",
                                  "process_madvise", "pidfd_getfd", "kcmp", "sched_setaffinity",
                                  "sched_setattr", "sched_setparam", "sched_setscheduler",
                                  "setpriority", "ioprio_set", NULL}},
    /* What another does with a file that both may only read. fcntl's locks and hints: below. */
    {ENOSYS, (const char *const[]){"inotify_init", "inotify_init1", NULL}},
    /* What of a file is in memory: whoever may only read it can change that. preadv2 and madvise: below. */
    {ENOSYS, (const char *const[]){"fadvise64", "readahead", "mincore", "cachestat", NULL}},
    /* A page that another has mapped, too, does not move: on machines with several nodes of memory. */
    {ENOSYS, (const char *const[]){"move_pages", "migrate_pages", NULL}},
    /* Only AF_UNIX has pairs. */
    {EAFNOSUPPORT, (const char *const[]){"socketpair", NULL}},
    /* io_uring makes calls that no filter sees. The rest is where the kernel has been broken into. */
    {ENOSYS, (const char *const[]){"io_uring_setup",
                                   "io_uring_enter",
                                   "io_uring_register",
                                   "userfaultfd",
                                   "bpf",
                                   "perf_event_open",
                                   "fanotify_init",
                                   "fanotify_mark",
                                   "add_key",
                                   "request_key",
                                   "keyctl",
                                   "name_to_handle_at",
                                   "open_by_handle_at",
                                   "kexec_load",
                                   "kexec_file_load",
                                   "init_module",
                                   "finit_module",
                                   "delete_module",
                                   "syslog",
                                   "acct",
                                   "quotactl",
                                   "quotactl_fd",
                                   "swapon",
                                   "swapoff",
                                   "modify_ldt",
                                   NULL}},
};

static const struct refusal namespaces[] = {
    {EPERM, (const char *const[]){"unshare", "setns", "chroot", "pivot_root", "mount", "umount",
                                  "umount2", NULL}},
    /* The filter cannot look at the flags of clone3; the C library then uses clone. */
    {ENOSYS, (const char *const[]){"clone3", "open_tree", "move_mount", "fsopen", "fsconfig",
                                   "fsmount", "fspick", "mount_setattr", NULL}},
};

/* Only where ranks are apart: those that share memory ask whether there is room for it. */
static const struct refusal between_ranks[] = {
    /* How full a disk is that all of them write to. */
    {ENOSYS, (const char *const[]){"statfs", "fstatfs", "ustat", NULL}},
    /* These do more than sleep and wake within a process, and the C library does without them. */
    {ENOSYS,
     (const char *const[]){"futex_waitv", "futex_wait", "futex_wake", "futex_requeue", NULL}},
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

static int refuse_all(scmp_filter_ctx filter, const struct refusal *refusals, size_t count)
{
    int failed = 0;
    for (size_t i = 0; i < count; i++)
        for (const char *const *call = refusals[i].calls; *call != NULL; call++) {
            int number = seccomp_syscall_resolve_name(*call);
            if (number != __NR_SCMP_ERROR)
                failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(refusals[i].error), number, 0);
        }
    return failed;
}

/* The kernel reads the family as an int. A number with more bits is above all families here. */
static int refuse_sockets(scmp_filter_ctx filter, bool cables)
{
    const uint32_t refused = SCMP_ACT_ERRNO(EAFNOSUPPORT);
    const unsigned last = cables ? AF_NETLINK : AF_INET6;
    int failed =
        seccomp_rule_add(filter, refused, SCMP_SYS(socket), 1, SCMP_A0(SCMP_CMP_GT, last, 0));
    for (unsigned family = 0; family < last; family++)
        if (family != AF_INET && family != AF_INET6)
            failed |= seccomp_rule_add(filter, refused, SCMP_SYS(socket), 1,
                                       SCMP_A0(SCMP_CMP_EQ, family, 0));
    if (cables)
        failed |= seccomp_rule_add(filter, refused, SCMP_SYS(socket), 2,
                                   SCMP_A0(SCMP_CMP_EQ, AF_NETLINK, 0),
                                   SCMP_A2(SCMP_CMP_NE, NETLINK_ROUTE, 0));
    return failed;
}

/* What sends packets by other ways than the network has for them. TCP sends again what then reaches
 * nobody, and the audit takes that for what was lost (ranks/audit.h). Also what sends them later:
 * the kernel then takes time from the program that runs at that moment, which in a timing is the
 * reference. */
static int refuse_detours(scmp_filter_ctx filter)
{
    static const struct option {
        unsigned level, name;
    } options[] = {
        {IPPROTO_IP, IP_OPTIONS},       {IPPROTO_IPV6, IPV6_RTHDR},
        {IPPROTO_IPV6, IPV6_2292RTHDR}, {IPPROTO_IPV6, IPV6_2292PKTOPTIONS},
        {SOL_SOCKET, SO_BINDTODEVICE},  {SOL_SOCKET, SO_BINDTOIFINDEX},
        {SOL_SOCKET, SO_DONTROUTE},     {SOL_SOCKET, SO_MAX_PACING_RATE},
        {SOL_SOCKET, SO_TXTIME},        {IPPROTO_TCP, TCP_CONGESTION},
    };
    int failed = 0;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(setsockopt), 2,
                                   SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffffu, options[i].level),
                                   SCMP_A2(SCMP_CMP_MASKED_EQ, 0xffffffffu, options[i].name));
    return failed;
}

/* Words put into the terminal of whoever grades, as if they had been typed. */
static int refuse_typing(scmp_filter_ctx filter)
{
    static const unsigned requests[] = {TIOCSTI, TIOCLINUX};
    int failed = 0;
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
                                   SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffffu, requests[i]));
    return failed;
}

/* A lock shows where it is and how long, so that it carries 16 bytes to whoever asks for it. A hint about
 * writing is kept in the inode, where all can read it. */
static int refuse_marks(scmp_filter_ctx filter)
{
    static const unsigned commands[] = {F_SETLK,    F_SETLKW, F_OFD_SETLK,   F_OFD_SETLKW,
                                        F_SETLEASE, F_NOTIFY, F_SET_RW_HINT, F_SET_FILE_RW_HINT};
    int failed = 0;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOLCK), SCMP_SYS(fcntl), 1,
                                   SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffffu, commands[i]));
    return failed;
}

/* The kernel counts the pages of all pipes of a user, and ranks have one user: whoever makes a pipe larger
 * finds out how many pages the others have taken, in a few microseconds. */
static int refuse_larger_pipes(scmp_filter_ctx filter)
{
    return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(fcntl), 1,
                            SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffffu, F_SETPIPE_SZ));
}

/* Reading only what is in memory, and sending it away from there. */
static int refuse_looks_at_memory(scmp_filter_ctx filter)
{
    static const unsigned advice[] = {MADV_COLD, MADV_PAGEOUT};
    int failed = 0;
    for (size_t i = 0; i < sizeof advice / sizeof *advice; i++)
        failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(madvise), 1,
                                   SCMP_A2(SCMP_CMP_MASKED_EQ, 0xffffffffu, advice[i]));
    failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EOPNOTSUPP), SCMP_SYS(preadv2), 1,
                               SCMP_A5(SCMP_CMP_NE, 0, 0));
    return failed;
}

/*
 * Who maps a file, even to read it only, can sleep at a word of it, and whoever else maps it finds out by
 * waking or moving him; a thread that ends wakes somebody, too. Within one process all of that goes on.
 * The C library waits for the end of a thread as if it were another process's: it asks again.
 */
static int refuse_shared_futexes(scmp_filter_ctx filter)
{
    static const struct operation {
        uint32_t error;
        unsigned number;
    } operations[] = {
        {EAGAIN, FUTEX_WAIT},      {EAGAIN, FUTEX_WAIT_BITSET}, {ENOSYS, FUTEX_WAIT_REQUEUE_PI},
        {ENOSYS, FUTEX_WAKE},      {ENOSYS, FUTEX_WAKE_BITSET}, {ENOSYS, FUTEX_WAKE_OP},
        {ENOSYS, FUTEX_REQUEUE},   {ENOSYS, FUTEX_CMP_REQUEUE}, {ENOSYS, FUTEX_CMP_REQUEUE_PI},
        {ENOSYS, FUTEX_UNLOCK_PI}, {ENOSYS, FUTEX_LOCK_PI},     {ENOSYS, FUTEX_TRYLOCK_PI},
    };
    int failed = 0;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        failed |= seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(operations[i].error), SCMP_SYS(futex), 1,
            SCMP_A1(SCMP_CMP_MASKED_EQ, ~(unsigned)FUTEX_CLOCK_REALTIME, operations[i].number));
    return failed;
}

static int refuse_clones(scmp_filter_ctx filter)
{
    static const unsigned flags[] = {CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,   CLONE_NEWNET,
                                     CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP};
    int failed = 0;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                                   SCMP_A0(SCMP_CMP_MASKED_EQ, flags[i], flags[i]));
    return failed;
}

/* ip locks the folder of networks' names. */
static const struct refusal file_locks[] = {{ENOSYS, (const char *const[]){"flock", NULL}}};

enum vl_status vl_syscalls_write(int file, enum vl_syscalls_allowed allowed)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (filter == NULL)
        return VL_ENOMEM;
    int failed = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS));
    failed |= refuse_all(filter, always, COUNT(always));
    failed |= refuse_sockets(filter, allowed == VL_SYSCALLS_CABLES);
    failed |= refuse_detours(filter);
    failed |= refuse_typing(filter);
    failed |= refuse_marks(filter);
    failed |= refuse_larger_pipes(filter);
    failed |= refuse_looks_at_memory(filter);
    if (allowed != VL_SYSCALLS_CABLES)
        failed |= refuse_all(filter, file_locks, COUNT(file_locks));
    if (allowed != VL_SYSCALLS_NONE) { /* ranks that are apart inherit it */
        failed |= refuse_all(filter, between_ranks, COUNT(between_ranks));
        failed |= refuse_shared_futexes(filter);
    }
    if (allowed == VL_SYSCALLS_NONE) {
        failed |= refuse_all(filter, namespaces, COUNT(namespaces));
        failed |= refuse_clones(filter);
    }
    enum vl_status status = failed ? VL_ENOMEM : VL_OK;
    if (status == VL_OK && seccomp_export_bpf(filter, file) != 0)
        status = VL_EIO;
    seccomp_release(filter);
    return status;
}

enum vl_status vl_syscalls_open(int *file, enum vl_syscalls_allowed allowed)
{
    *file = memfd_create("syscalls", MFD_CLOEXEC);
    if (*file < 0)
        return VL_EIO;
    enum vl_status status = vl_syscalls_write(*file, allowed);
    if (status == VL_OK && lseek(*file, 0, SEEK_SET) == 0)
        return VL_OK;
    close(*file);
    *file = -1;
    return status != VL_OK ? status : VL_EIO;
}
