/*
 * What the runner gets instead of a function of a later lab: the references of those labs are not
 * linked with a submission (src/grade/build/toolchain.h), and no case of an earlier lab needs them.
 */
#include "vialata/status.h"

enum vl_status vl_absent(void);
enum vl_status vl_absent(void)
{
    return VL_EMISSING;
}
