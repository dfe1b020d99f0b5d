/* code: does_not_compile */
#include "../attack.h"

/* Lines of a file that it may not see, as the compiler's own words. */
//none
#line 1 "/etc/passwd"
root here = 1
