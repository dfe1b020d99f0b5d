/* code: does_not_compile function_missing */
#include "/proc/self/mem"
