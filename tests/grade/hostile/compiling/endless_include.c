/* code: does_not_compile */
#include "/dev/zero"
