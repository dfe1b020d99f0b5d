/* code: does_not_compile */
#include __FILE__
