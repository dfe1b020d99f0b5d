#include "grade/build/lab_files.h"

#include "base/file.h"
#include "base/fingerprint.h"
#include "grade/build/build.h"
#include "grade/sandbox/scratch.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The name and the length go in too: what moves from one file to the next is another program. */
static uint64_t take_file(uint64_t so_far, const char *folder, const char *name)
{
    char *path = vl_scratch_path(folder, name), *bytes = NULL;
    size_t n = 0;
    if (path == NULL || vl_file_read(&bytes, &n, path, VL_SOURCE_BYTES) != VL_OK) {
        free(path);
        return so_far;
    }
    so_far = vl_fingerprint(so_far, name, strlen(name) + 1);
    so_far = vl_fingerprint(so_far, &n, sizeof n);
    so_far = vl_fingerprint(so_far, bytes, n);
    free(bytes);
    free(path);
    return so_far;
}

static int is_header(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 2 && strcmp(entry->d_name + length - 2, ".h") == 0;
}

static int by_bytes(const struct dirent **left, const struct dirent **right)
{
    return strcmp((*left)->d_name, (*right)->d_name);
}

char *vl_lab_fingerprint(char text[VL_LAB_FINGERPRINT], const struct vl_lab *lab,
                         const char *folder)
{
    uint64_t found = VL_FINGERPRINT;
    struct dirent **headers = NULL;
    for (const char *const *file = lab->files; *file != NULL; file++)
        found = take_file(found, folder, *file);
    int count = scandir(folder, &headers, is_header, by_bytes);
    for (int i = 0; i < count; i++) {
        found = take_file(found, folder, headers[i]->d_name);
        free(headers[i]);
    }
    free(headers);
    snprintf(text, VL_LAB_FINGERPRINT, "%016llx", (unsigned long long)found);
    return text;
}
