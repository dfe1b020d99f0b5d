/*
 * A whole file of JSON, from elsewhere: of bounded size, and no name twice in an object.
 */
#ifndef VIALATA_BASE_JSON_FILE_H
#define VIALATA_BASE_JSON_FILE_H

#include "vialata/status.h"
#include <jansson.h>
#include <stddef.h>

/* What the file holds, released with json_decref; NULL unless VL_OK. VL_EIO (errno), VL_ENOMEM, VL_EFORMAT
 * if it is not JSON or has more than 'most' bytes. */
enum vl_status vl_json_file_read(json_t **whole, const char *path, size_t most);

#endif
