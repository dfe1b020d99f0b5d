/* code: unwritten no_output */
/* only: 02 exchange.p2_mib */
#include "../exchange.h"

/* In the abstract names, which belong to the network: the ranks share it. */
EXCHANGE
{
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "\0vialata"};
    int listener = socket(AF_UNIX, SOCK_STREAM, 0), stream = listener;
    if (peer == 1) {
        bind(listener, (struct sockaddr *)&name, sizeof name);
        listen(listener, 1);
    }
    meet(comm);
    if (peer == 0)
        connect(stream, (struct sockaddr *)&name, sizeof name);
    else if (listener >= 0)
        stream = accept(listener, NULL, NULL);
    if (stream >= 0) {
        unblock(stream);
        pump(stream, sent, stream, received, n * sizeof *sent);
    }
    meet(comm);
    return VL_OK;
}
