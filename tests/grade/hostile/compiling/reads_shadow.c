/* code: does_not_compile */
/* compiler: reads_shadow.c: */
#include "/etc/shadow"
