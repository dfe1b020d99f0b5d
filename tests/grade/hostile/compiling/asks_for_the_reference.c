/* code: does_not_compile */
#include "../attack.h"

/* Is the reference anywhere that its author may have put it? */
//none
#if __has_include("../../solutions/01_training_step/forward.c")
#include "../../solutions/01_training_step/forward.c"
#elif __has_include("../toolchain/fallback.c") || __has_include("/proc/1/root/etc/shadow")
int vl_seen;
#else
#error "nothing is there"
#endif
