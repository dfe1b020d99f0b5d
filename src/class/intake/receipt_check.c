/* A receipt and the files that it came with. */
#include "base/path.h"
#include "class/intake/receipt.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static enum vl_status compare(enum vl_receipt_state *state, const struct vl_receipt *receipt,
                              const struct vl_lab *lab, const char *folder)
{
    struct vl_manifest manifest;
    enum vl_status status = vl_manifest_read(&manifest, lab, folder);
    bool same = strcmp(receipt->lab, lab->folder) == 0 && strcmp(receipt->hash, manifest.hash) == 0;
    *state = same ? VL_RECEIPT_AGREES : VL_RECEIPT_DIFFERS;
    vl_manifest_free(&manifest);
    return status;
}

enum vl_status vl_receipt_check(enum vl_receipt_state *state, const struct vl_lab *lab,
                                const char *folder)
{
    struct vl_receipt receipt;
    struct stat info;
    char *path = vl_path_join(folder, VL_RECEIPT_NAME);
    *state = VL_RECEIPT_ABSENT;
    if (path == NULL)
        return VL_ENOMEM;
    enum vl_status status = VL_OK;
    if (lstat(path, &info) == 0) {
        *state = VL_RECEIPT_DAMAGED;
        status = S_ISREG(info.st_mode) ? vl_receipt_read(&receipt, path) : VL_EFORMAT;
        if (status == VL_OK) {
            status = compare(state, &receipt, lab, folder);
            vl_receipt_free(&receipt);
        } else if (status != VL_ENOMEM)
            status = VL_OK;
    }
    free(path);
    return status;
}
