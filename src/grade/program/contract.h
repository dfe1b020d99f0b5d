/*
 * The contract of a function: what its declaration in the course's headers says of its parameters.
 *
 *   enum vl_status vl_rmsnorm_forward(float *y, float *inv_rms, const float *x, ..., size_t n, size_t d);
 *
 *   name      y         x         n         settings
 *   type      float     float     size_t    struct vl_adamw
 *   pointer   yes       yes       no        yes
 *   constant  no        yes       no        yes
 */
#ifndef VIALATA_GRADE_PROGRAM_CONTRACT_H
#define VIALATA_GRADE_PROGRAM_CONTRACT_H

#include "vialata/status.h"

#include <stdbool.h>
#include <stddef.h>

#define VL_PARAMETERS_MOST 24
#define VL_CONTRACT_NAME   64 /* of a type or a name, with its zero byte */

struct vl_parameter {
    char type[VL_CONTRACT_NAME], name[VL_CONTRACT_NAME];
    bool is_pointer, is_constant;
};

struct vl_contract {
    char header[VL_CONTRACT_NAME]; /* "rmsnorm.h" */
    struct vl_parameter parameters[VL_PARAMETERS_MOST];
    size_t count;
};

/* VL_ELACK if no header of this folder declares the function, or a parameter is none of the above;
 * VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_contract_read(struct vl_contract *contract, const char *function,
                                const char *folder);

/* The fields of "struct vl_adamw", in their order, from the same header. The same errors. */
enum vl_status vl_contract_fields(struct vl_contract *fields, const char *type, const char *header,
                                  const char *folder);

#endif
