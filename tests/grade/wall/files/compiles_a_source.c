/* open: root user */
#include <stdlib.h>

static int compiles_a_source(void)
{
    return system("cc -c -x c @SECRET@ -o stolen.o 2>/dev/null") == 0;
}
