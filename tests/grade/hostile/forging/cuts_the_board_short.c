/* code: no_output */
#include "../attack.h"

ATTACK
{
    finish_everything();
    sleep(1);
    truncate("board.0", 0);
    for (;;)
        pause();
}
