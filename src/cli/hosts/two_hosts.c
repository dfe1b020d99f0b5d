#include "cli/hosts/two_hosts.h"

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/hosts/own_namespaces.h"
#include "cli/shared/say.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What mpirun starts instead of ssh: HOST COMMAND... in that namespace, under that name. */
static const char agent_text[] =
    "#!/bin/sh\n"
    "host=$1\n"
    "shift\n"
    "exec ip netns exec \"$host\" unshare -u sh -c 'hostname \"$0\" && exec sh -c \"$1\"' "
    "\"$host\" \"$*\"\n";

/* ---- signals: noted, so that nothing stays behind ---- */

static volatile sig_atomic_t asked_to_end;
static const int ends[VL_TWO_HOSTS_SIGNALS] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
#define ENDED_BY_SIGNAL ((enum vl_exit)(128 + SIGINT))

static void note_signal(int number)
{
    (void)number;
    asked_to_end = 1;
}

/* A job that runs meanwhile installs handlers of its own, and restores ours at its end. */
static void listen_to_signals(struct vl_two_hosts *hosts)
{
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
    asked_to_end = 0;
    for (size_t i = 0; i < VL_TWO_HOSTS_SIGNALS; i++)
        sigaction(ends[i], &action, &hosts->before[i]);
    hosts->listens = 1;
}

/* ---- programs ---- */

/* Run a program with these words (up to a NULL). The first line that it prints goes to 'said'.
 * Nonzero if it ended well. */
static int run(char said[256], const char *program, ...)
{
    const char *words[24] = {program};
    size_t n = 1;
    va_list list;
    va_start(list, program);
    while (n < 23 && (words[n] = va_arg(list, const char *)) != NULL)
        n++;
    va_end(list);
    int pair[2], status = 1;
    said[0] = '\0';
    if (pipe2(pair, O_CLOEXEC) != 0)
        return 0;
    pid_t pid = fork();
    if (pid == 0) {
        setsid(); /* the terminal's Ctrl-C is for us, not for what we are in the middle of */
        dup2(pair[1], STDOUT_FILENO);
        dup2(pair[1], STDERR_FILENO);
        vl_path_add_system(); /* has `tc` */
        execvp(program, (char *const *)words);
        dprintf(STDOUT_FILENO, "%s: %s\n", program, strerror(errno));
        _exit(127);
    }
    close(pair[1]);
    FILE *answer = fdopen(pair[0], "r");
    if (answer != NULL && fgets(said, 256, answer) != NULL)
        said[strcspn(said, "\n")] = '\0';
    if (answer != NULL)
        fclose(answer);
    else
        close(pair[0]);
    if (pid > 0)
        waitpid(pid, &status, 0);
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool write_agent(struct vl_two_hosts *hosts)
{
    const char *place = getenv("TMPDIR");
    int fits = place != NULL && place[0] == '/' && strlen(place) < sizeof hosts->folder - 32;
    snprintf(hosts->folder, sizeof hosts->folder, "%s/vialata-XXXXXX", fits ? place : "/tmp");
    if (mkdtemp(hosts->folder) == NULL) {
        hosts->folder[0] = '\0';
        return false;
    }
    snprintf(hosts->agent, sizeof hosts->agent, "%s/agent", hosts->folder);
    int file = open(hosts->agent, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
    if (file < 0)
        return false;
    ssize_t written = write(file, agent_text, sizeof agent_text - 1);
    return close(file) == 0 && written == (ssize_t)sizeof agent_text - 1;
}

/* What still runs in a namespace would keep it alive. */
static void end_all(const struct vl_two_hosts *hosts, const char *name)
{
    char said[256];
    for (int tries = 0; tries < 50; tries++) {
        if (!run(said, hosts->ip, "netns", "pids", name, NULL) || said[0] == '\0')
            return;
        long pid = strtol(said, NULL, 10);
        if (pid > 1)
            kill((pid_t)pid, SIGKILL);
        usleep(20000);
    }
}

static void remove_host(const struct vl_two_hosts *hosts, const char *name)
{
    char said[256];
    end_all(hosts, name);
    run(said, hosts->ip, "netns", "del", name, NULL);
}

/* A namespace with our process number was left by a process that was killed too early to clean up.
 */
static int add_host(const struct vl_two_hosts *hosts, const char *name, char said[256])
{
    if (run(said, hosts->ip, "netns", "add", name, NULL))
        return 1;
    remove_host(hosts, name);
    return run(said, hosts->ip, "netns", "add", name, NULL);
}

int vl_two_hosts_shape(const struct vl_two_hosts *hosts, const char *rate, char said[256])
{
    for (int h = 0; h < 2; h++)
        if (!run(said, "tc", "-n", hosts->name[h], "qdisc", "replace", "dev", "eth0", "root", "tbf",
                 "rate", rate, "burst", "256kb", "latency", "50ms", NULL))
            return 0;
    said[0] = '\0';
    return 1;
}

static int make_hosts(struct vl_two_hosts *hosts, const char *rate, char said[256])
{
    static const char *const addresses[] = {"10.77.0.1/24", "10.77.0.2/24"};
    for (; hosts->made < 2; hosts->made++)
        if (!add_host(hosts, hosts->name[hosts->made], said))
            return 0;
    if (!run(said, hosts->ip, "link", "add", "eth0", "netns", hosts->name[0], "type", "veth",
             "peer", "name", "eth0", "netns", hosts->name[1], NULL))
        return 0;
    for (int h = 0; h < 2; h++) {
        const char *name = hosts->name[h];
        if (!run(said, hosts->ip, "-n", name, "link", "set", "lo", "up", NULL) ||
            !run(said, hosts->ip, "-n", name, "addr", "add", addresses[h], "dev", "eth0", NULL) ||
            !run(said, hosts->ip, "-n", name, "link", "set", "eth0", "up", NULL))
            return 0;
    }
    return vl_two_hosts_shape(hosts, rate, said);
}

enum vl_exit vl_two_hosts_open(struct vl_two_hosts *hosts, const char *rate)
{
    char said[256];
    *hosts = (struct vl_two_hosts){.ip = vl_path_program("ip")};
    if (hosts->ip == NULL)
        return vl_say(VL_EXIT_LACK, _("There is no program `ip` here, and two hosts need it: "
                                      "install iproute2, or let `./vialata` do it."));
    if (geteuid() != 0 && !vl_own_namespaces_enter())
        return vl_say(VL_EXIT_LACK,
                      _("This machine lets only root make network namespaces (%m), and two hosts "
                        "need them: run this command as root."));
    for (int h = 0; h < 2; h++)
        snprintf(hosts->name[h], sizeof hosts->name[h], "vl%ld%c", (long)getpid() % 10000000,
                 "ab"[h]);
    listen_to_signals(hosts);
    if (!write_agent(hosts))
        return vl_say(VL_EXIT_LACK,
                      vl_file_lacks_space(errno)
                          ? _("No file can be written in %s (%m): free some space, or set TMPDIR "
                              "to another folder.")
                          : _("No file can be written in %s (%m): set TMPDIR to another folder."),
                      hosts->folder[0] != '\0' ? hosts->folder : "TMPDIR");
    if (!make_hosts(hosts, rate, said))
        return vl_say(VL_EXIT_LACK,
                      _("This machine does not let us make two hosts (%s): that needs network "
                        "namespaces and `tc`, which a virtual machine or a privileged container "
                        "has."),
                      said);
    return asked_to_end ? ENDED_BY_SIGNAL : VL_EXIT_OK;
}

/* Messages up to here leave at once: lab 02's pieces of 1 MiB, and what Open MPI adds. */
#define AT_ONCE "1100000"

/* Open MPI as on hosts whose cards work alone. By default ("put") two ranks that exchange large messages
 * take turns: a receiver's answer that the sender may begin queues in the same connection as its own
 * data. And a large message moves only while both ranks are inside MPI. With these settings the kernel
 * moves it while they compute. Measured, 6 MiB each way at 100 Mbit/s: 1024 ms by default, 528 ms so. */
#define SEND_AT_ONCE                                                                               \
    "--mca", "btl_tcp_flags", "send,inplace", "--mca", "btl_tcp_eager_limit", AT_ONCE, "--mca",    \
        "btl_tcp_rndv_eager_limit", AT_ONCE, "--mca", "btl_tcp_max_send_size", AT_ONCE

/* On a busy machine mpirun warns that the agent was faster than itself, which changes nothing. Such
 * remarks go to the system's log; errors are told in another way. */
#define REMARKS "--mca", "mca_base_verbose", "syslog"

enum vl_exit vl_two_hosts_run(const struct vl_two_hosts *hosts, struct vl_job *job, int each)
{
    char list[64];
    snprintf(list, sizeof list, "%s:%d,%s:%d", hosts->name[0], each, hosts->name[1], each);
    const char *const before[] = {hosts->ip,      "netns",   "exec",
                                  hosts->name[0], "unshare", "-u",
                                  "sh",           "-c",      "hostname \"$0\" && exec \"$@\"",
                                  hosts->name[0], NULL};
    const char *const options[] = {"--host",
                                   list,
                                   "--mca",
                                   "plm_rsh_agent",
                                   hosts->agent,
                                   "--mca",
                                   "btl",
                                   "tcp,vader,self",
                                   "--mca",
                                   "btl_tcp_if_include",
                                   "eth0",
                                   "--mca",
                                   "oob_tcp_if_include",
                                   "eth0",
                                   SEND_AT_ONCE,
                                   REMARKS,
                                   NULL};
    job->before = before;
    job->options = options;
    job->ranks = 2 * each;
    enum vl_exit status = asked_to_end ? ENDED_BY_SIGNAL : vl_job_run(job);
    return asked_to_end && status == VL_EXIT_OK ? ENDED_BY_SIGNAL : status;
}

void vl_two_hosts_close(struct vl_two_hosts *hosts)
{
    for (int h = 0; h < hosts->made; h++)
        remove_host(hosts, hosts->name[h]);
    if (hosts->agent[0] != '\0')
        unlink(hosts->agent);
    if (hosts->folder[0] != '\0')
        rmdir(hosts->folder);
    for (size_t i = 0; i < VL_TWO_HOSTS_SIGNALS && hosts->listens; i++)
        sigaction(ends[i], &hosts->before[i], NULL);
    free(hosts->ip);
    *hosts = (struct vl_two_hosts){0};
}
