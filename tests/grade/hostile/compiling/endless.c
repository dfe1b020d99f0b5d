/* code: does_not_compile */
#include "../attack.h"

/* Ten times as much, twelve times: no compiler reaches the end. */
//none
#define N0(x) x x x x x x x x x x
#define N1(x) N0(N0(N0(N0(x))))
#define N2(x) N1(N1(N1(x)))
int vl_endless(void);
int vl_endless(void)
{
    return N2(1 +) 0;
}
