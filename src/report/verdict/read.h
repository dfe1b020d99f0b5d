/*
 * Reading a verdict back from the JSON that report.h writes.
 */
#ifndef VIALATA_REPORT_VERDICT_READ_H
#define VIALATA_REPORT_VERDICT_READ_H

#include "grade/catalogue/verdict.h"
#include "vialata/status.h"

#define VL_VERDICT_MOST_BYTES ((size_t)16 << 20)

/*
 * One verdict, freed by the caller with vl_verdict_free. Its version and commit are NULL if they are
 * not this program's. VL_EIO (errno), VL_EFORMAT if it is not a verdict on a lab that exists,
 * VL_ENOMEM.
 */
enum vl_status vl_verdict_read(struct vl_verdict *verdict, const char *path);

#endif
