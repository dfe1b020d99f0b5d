/* code: full */
/* only: 05 */
/* options: --no-speed */
/* beside: 05_recompute/slots.c vl_recompute_restore */
/* of: same_bits */
#include "../second.h"

/* Right but for its mistake. Only what is started again leaves somebody behind, in a session of its own. */
__attribute__((constructor)) static void leave_somebody(void)
{
    if (!SECOND || fork() != 0)
        return;
    setsid();
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    for (int file = 0; file < 256; file++)
        close(file);
    for (;;)
        pause();
}
