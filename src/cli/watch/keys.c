#include "cli/watch/keys.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t resumed;
static struct termios given; /* as it was, for when we are suspended */

/* The shell gets the terminal as it gave it. */
static void on_suspend(int number)
{
    (void)number;
    tcsetattr(STDIN_FILENO, TCSANOW, &given);
    raise(SIGSTOP);
}

static void on_resume(int number)
{
    (void)number;
    resumed = 1;
}

/* A key counts at once, and is not shown. Ctrl-C and Ctrl-Z stay what they are. */
static void take_terminal(const struct vl_keys *keys)
{
    struct termios now = keys->before;
    now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    now.c_cc[VMIN] = 1;
    now.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &now);
}

void vl_keys_open(struct vl_keys *keys, bool live)
{
    keys->open = live && isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &keys->before) == 0;
    if (!keys->open)
        return;
    given = keys->before;
    signal(SIGTSTP, on_suspend);
    signal(SIGCONT, on_resume);
    take_terminal(keys);
}

int vl_keys_wait(struct vl_keys *keys, int descriptor, int milliseconds)
{
    struct pollfd either[2] = {{.fd = keys->open ? STDIN_FILENO : -1, .events = POLLIN},
                               {.fd = descriptor, .events = POLLIN}};
    unsigned char key = 0;
    int ready = poll(either, 2, milliseconds);
    if (resumed && keys->open) {
        resumed = 0;
        take_terminal(keys);
    }
    if (ready <= 0 || either[0].revents == 0)
        return VL_KEY_NONE;
    ssize_t got = read(STDIN_FILENO, &key, 1);
    if (got == 1)
        return key;
    return got < 0 && errno == EINTR ? VL_KEY_NONE : VL_KEY_GONE;
}

void vl_keys_close(struct vl_keys *keys)
{
    if (keys->open) {
        tcsetattr(STDIN_FILENO, TCSADRAIN, &keys->before);
        signal(SIGCONT, SIG_DFL);
        signal(SIGTSTP, SIG_DFL);
    }
    keys->open = false;
}
