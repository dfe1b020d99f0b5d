#include "base/json_file.h"

#include "base/file.h"
#include <stdlib.h>

enum vl_status vl_json_file_read(json_t **whole, const char *path, size_t most)
{
    char *bytes = NULL;
    size_t n = 0;
    *whole = NULL;
    enum vl_status status = vl_file_read(&bytes, &n, path, most);
    if (status != VL_OK)
        return status;
    *whole = json_loadb(bytes, n, JSON_REJECT_DUPLICATES, NULL);
    free(bytes);
    return *whole != NULL ? VL_OK : VL_EFORMAT;
}
