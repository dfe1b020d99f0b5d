/* code: unexpected_status */
#include "../attack.h"

ATTACK
{
    ANSWER;
    return (enum vl_status) - 1;
}
