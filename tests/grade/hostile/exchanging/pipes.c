/* code: unwritten no_output */
/* only: 02 exchange.p2_mib */
#include "../exchange.h"

EXCHANGE
{
    const char *const names[] = {"/tmp/pipe.0", "/tmp/pipe.1"};
    mkfifo(names[1 - peer], 0600);
    meet(comm);
    int out = open(names[1 - peer], O_RDWR | O_NONBLOCK),
        in = open(names[peer], O_RDWR | O_NONBLOCK);
    if (out >= 0 && in >= 0)
        pump(out, sent, in, received, n * sizeof *sent);
    meet(comm);
    return VL_OK;
}
