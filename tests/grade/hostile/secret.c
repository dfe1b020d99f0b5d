/* code: does_not_compile */
/* compiler: secret.c: */
#include "/etc/shadow"
