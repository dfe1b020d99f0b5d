#include <sys/prctl.h>

/* By a program that is set-user-id. */
static int may_gain_rights(void)
{
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0;
}
