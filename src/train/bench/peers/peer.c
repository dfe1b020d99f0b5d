#include "train/bench/peers/peer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { READS, WRITES };

static int spawn(struct vl_peer *peer, const char *const *words, const int in[2], const int out[2])
{
    posix_spawn_file_actions_t actions;
    int why = posix_spawn_file_actions_init(&actions);
    if (why != 0)
        return why;
    why = posix_spawn_file_actions_adddup2(&actions, in[READS], STDIN_FILENO);
    if (why == 0)
        why = posix_spawn_file_actions_adddup2(&actions, out[WRITES], STDOUT_FILENO);
    if (why == 0)
        why = posix_spawn(&peer->process, words[0], &actions, NULL, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return why;
}

static void close_ends(const int ends[2])
{
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
}

/* Takes over an end, and says in the array that it has. */
static FILE *take(int *end, const char *how)
{
    FILE *file = fdopen(*end, how);
    if (file != NULL)
        *end = -1;
    return file;
}

enum vl_status vl_peer_start(struct vl_peer *peer, const char *const *words)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    *peer = (struct vl_peer){0};
    signal(SIGPIPE, SIG_IGN); /* a peer that has ended is an answer */
    int why = pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0 ? 0 : errno;
    if (why == 0)
        why = spawn(peer, words, in, out);
    if (why == 0) {
        peer->to = take(&in[WRITES], "w");
        peer->from = take(&out[READS], "r");
        why = peer->to != NULL && peer->from != NULL ? 0 : errno;
    }
    close_ends(in);
    close_ends(out);
    if (why != 0) {
        errno = why;
        return VL_EIO;
    }
    return fscanf(peer->from, "ready %31s", peer->version) == 1 ? VL_OK : VL_ELACK;
}

enum vl_status vl_peer_step(struct vl_peer *peer, double *loss, double *seconds)
{
    if (fputc('\n', peer->to) == EOF || fflush(peer->to) != 0)
        return VL_EFORMAT;
    return fscanf(peer->from, "%lf %lf", loss, seconds) == 2 && *seconds > 0 ? VL_OK : VL_EFORMAT;
}

void vl_peer_end(struct vl_peer *peer)
{
    if (peer->to != NULL)
        fclose(peer->to);
    if (peer->from != NULL)
        fclose(peer->from);
    if (peer->process > 0) {
        kill(peer->process, SIGTERM); /* it may be in a step */
        while (waitpid(peer->process, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    *peer = (struct vl_peer){0};
}
