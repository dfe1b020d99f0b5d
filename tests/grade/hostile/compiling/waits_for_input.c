/* code: function_missing does_not_compile */
#include "/dev/stdin"
