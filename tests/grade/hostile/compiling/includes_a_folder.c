/* code: does_not_compile */
#include "/proc/self/root"
