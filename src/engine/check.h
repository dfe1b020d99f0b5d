/* How the engine handles errors: any status but VL_OK is returned to the caller at once. */
#ifndef VIALATA_ENGINE_CHECK_H
#define VIALATA_ENGINE_CHECK_H

#include "vialata/status.h"

#define VL_CHECK(call)                                                                             \
    do {                                                                                           \
        enum vl_status check_status = (call);                                                      \
        if (check_status != VL_OK)                                                                 \
            return check_status;                                                                   \
    } while (0)

#endif
