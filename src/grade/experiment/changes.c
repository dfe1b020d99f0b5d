#include "grade/experiment/changes.h"

#include "sandbox/load.h"
#include "sandbox/process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SECONDS     2 /* of the processor; a function of a lab takes a hundredth */
#define PATIENCE    5 /* seconds more, for one that is stopped */
#define MEMORY_MOST ((rlim_t)256 << 20) /* bytes more than this process has */
#define SAID_MOST   ((size_t)4 << 20)   /* bytes; a function of a lab has a twentieth of that */

/* ---- the other process ---- */

/* One line for each change, an empty one, and the text. */
static void say(FILE *out, const struct vl_schema *schema)
{
    for (size_t i = 0; i < schema->count; i++)
        fprintf(out, "%d %zu %s\n", (int)schema->list[i].kind, schema->list[i].line,
                schema->list[i].piece);
    fprintf(out, "\n%s", schema->text);
}

static rlim_t memory_now(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file != NULL && fscanf(file, "%lu", &pages) != 1)
        pages = 0;
    if (file != NULL)
        fclose(file);
    return pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static bool bind_this_process(void)
{
    const rlim_t bytes = memory_now() + MEMORY_MOST;
    const struct rlimit time = {SECONDS, SECONDS}, memory = {bytes, bytes}, none = {0, 0};
    return setrlimit(RLIMIT_CPU, &time) == 0 && setrlimit(RLIMIT_AS, &memory) == 0 &&
           setrlimit(RLIMIT_CORE, &none) == 0;
}

static void read_and_say(int to, const char *file, const char *function,
                         const struct vl_sandbox *sandbox)
{
    struct vl_schema schema;
    signal(SIGPIPE, SIG_DFL);
    close_range(0, (unsigned)to - 1, 0);
    close_range((unsigned)to + 1, ~0u, 0);
    FILE *out = bind_this_process() && vl_sandbox_enter(sandbox) ? fdopen(to, "w") : NULL;
    if (out == NULL || vl_schema_make(&schema, file, function) != VL_OK || schema.count == 0)
        _exit(1);
    say(out, &schema);
    _exit(fclose(out) != 0);
}

/* ---- what it says ---- */

static bool has_more(int from, double until)
{
    struct pollfd end = {.fd = from, .events = POLLIN};
    int ready;
    do
        ready = poll(&end, 1, (int)(1000 * fmax(0, until - vl_clock())) + 1);
    while (ready < 0 && errno == EINTR);
    return ready > 0;
}

/* All of it, ended by a zero byte; NULL if it is too much or takes too long, or without memory. */
static char *listen_to(int from)
{
    const double until = vl_clock() + (SECONDS + PATIENCE) * vl_load_average();
    char *said = malloc(SAID_MOST + 1);
    size_t length = 0;
    ssize_t n = 1;
    while (said != NULL && n > 0 && length < SAID_MOST && has_more(from, until)) {
        n = read(from, said + length, SAID_MOST - length);
        if (n < 0 && errno == EINTR)
            n = 1;
        else if (n > 0)
            length += (size_t)n;
    }
    if (said == NULL || n != 0) {
        free(said);
        return NULL;
    }
    said[length] = '\0';
    return said;
}

/* One line; returns the next one, or NULL if it is none. */
static const char *read_change(struct vl_mutant *change, const char *line)
{
    char *end;
    unsigned long kind = strtoul(line, &end, 10);
    if (end == line || *end != ' ' || kind >= VL_MUTATION_KINDS)
        return NULL;
    const char *number = end + 1;
    change->line = strtoul(number, &end, 10);
    const char *close = strchr(end, '\n');
    if (end == number || *end != ' ' || close == NULL)
        return NULL;
    change->kind = (enum vl_mutation_kind)kind;
    change->names = strdup("");
    change->piece = strndup(end + 1, (size_t)(close - end - 1));
    return close + 1;
}

static enum vl_status take(struct vl_schema *schema, const char *said)
{
    while (said != NULL && *said != '\n') {
        struct vl_mutant change = {0},
                         *more = realloc(schema->list, (schema->count + 1) * sizeof *more);
        if (more == NULL)
            return VL_ENOMEM;
        schema->list = more;
        said = read_change(&change, said);
        if (said == NULL)
            break;
        schema->list[schema->count++] = change;
        if (change.names == NULL || change.piece == NULL)
            return VL_ENOMEM;
    }
    if (said != NULL && (schema->text = strdup(said + 1)) == NULL)
        return VL_ENOMEM;
    return VL_OK;
}

/* ---- both ---- */

/* Having said all, it ends at once; one that has not, or takes too long, is ended. */
static bool ended_well(pid_t reader, bool whole)
{
    const double until = vl_clock() + (whole ? PATIENCE : 0);
    int status = 0;
    bool ended = waitpid(reader, &status, WNOHANG) != 0;
    while (!ended && vl_clock() < until) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        ended = waitpid(reader, &status, WNOHANG) != 0;
    }
    if (!ended)
        kill(reader, SIGKILL);
    while (!ended)
        ended = waitpid(reader, &status, 0) >= 0 || errno != EINTR;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

enum vl_status vl_changes_make(struct vl_schema *schema, const char *file, const char *function,
                               const struct vl_sandbox *sandbox)
{
    int ends[2];
    *schema = (struct vl_schema){0};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return VL_EIO;
    pid_t reader = fork();
    if (reader == 0)
        read_and_say(ends[1], file, function, sandbox);
    close(ends[1]);
    char *said = reader > 0 ? listen_to(ends[0]) : NULL;
    close(ends[0]);
    if (reader < 0)
        return VL_EIO;
    enum vl_status status = VL_OK;
    if (ended_well(reader, said != NULL))
        status = take(schema, said);
    free(said);
    if (schema->text == NULL) { /* what it said is not whole */
        vl_schema_free(schema);
        *schema = (struct vl_schema){0};
    }
    return status;
}
