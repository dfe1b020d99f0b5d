#include "grade/build/lab_files.h"

#include "base/file.h"
#include "base/fingerprint.h"
#include "base/path.h"
#include "base/place.h"
#include "grade/build/build.h"
#include "sandbox/scratch/scratch.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool vl_reference_is_compiled(void)
{
    return vl_place_text("precompiled")[0] != '\0';
}

/* Is it in the list of given files that a handout has instead of solutions/? */
static int is_listed(const char *path)
{
    char **list = vl_place_list("given");
    int found = 0;
    for (char **item = list; item != NULL && *item != NULL; item++)
        found |= strcmp(*item, path) == 0;
    vl_place_list_free(list);
    return found;
}

char *vl_reference_path(const struct vl_lab *lab, const char *file, int *given)
{
    char *below = vl_path_join(lab->folder, file);
    char *path = below != NULL ? vl_place_path("solutions", below) : NULL;
    char *in_lab = below != NULL ? vl_place_path("labs", below) : NULL;
    if (path == NULL || in_lab == NULL)
        *given = 0;
    else if (vl_reference_is_compiled())
        *given = is_listed(in_lab);
    else
        *given = access(path, R_OK) != 0;
    char *found = *given ? in_lab : path;
    free(*given ? path : in_lab);
    free(below);
    return found;
}

/* ---- headers ---- */

static int is_header(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 2 && strcmp(entry->d_name + length - 2, ".h") == 0;
}

static int by_bytes(const struct dirent **left, const struct dirent **right)
{
    return strcmp((*left)->d_name, (*right)->d_name);
}

int vl_headers_list(struct dirent ***headers, const char *folder)
{
    *headers = NULL;
    return scandir(folder, headers, is_header, by_bytes);
}

enum vl_status vl_headers_copy(const char *to, const char *from)
{
    struct dirent **headers = NULL;
    int count = from != NULL ? vl_headers_list(&headers, from) : -1;
    enum vl_status status = count >= 0 ? VL_OK : VL_ELACK;
    for (int i = 0, copied = 0; i < count; i++) {
        char *source = vl_path_join(from, headers[i]->d_name);
        char *target = vl_path_join(to, headers[i]->d_name);
        enum vl_status one = VL_ENOMEM;
        if (copied < VL_HEADERS && source != NULL && target != NULL)
            one = vl_scratch_copy(target, source, VL_SOURCE_BYTES);
        copied += one == VL_OK;
        status = one != VL_OK ? one : status;
        free(source);
        free(target);
        free(headers[i]);
    }
    free(headers);
    return status;
}

enum vl_status vl_lab_headers_copy(const char *to, const struct vl_lab *lab)
{
    static const char *const keys[] = {"labs", "solutions"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char *from = vl_place_path(keys[i], lab->folder);
        if (from == NULL)
            return VL_ENOMEM;
        (void)vl_headers_copy(to, from); /* the compiler reports one that is missing */
        free(from);
    }
    return VL_OK;
}

/* ---- fingerprints ---- */

/* The name and the length count too: code moved from one file to another is another program. */
static uint64_t take_file(uint64_t so_far, const char *folder, const char *name)
{
    char *path = vl_path_join(folder, name), *bytes = NULL;
    size_t n = 0;
    if (path != NULL && vl_file_read(&bytes, &n, path, VL_SOURCE_BYTES) == VL_OK) {
        so_far = vl_fingerprint(so_far, name, strlen(name) + 1);
        so_far = vl_fingerprint(so_far, &n, sizeof n);
        so_far = vl_fingerprint(so_far, bytes, n);
        free(bytes);
    }
    free(path);
    return so_far;
}

uint64_t vl_headers_fingerprint(uint64_t before, const char *folder)
{
    struct dirent **headers = NULL;
    int count = vl_headers_list(&headers, folder);
    for (int i = 0; i < count; i++) {
        before = take_file(before, folder, headers[i]->d_name);
        free(headers[i]);
    }
    free(headers);
    return before;
}

char *vl_lab_fingerprint(char text[VL_LAB_FINGERPRINT], const struct vl_lab *lab,
                         const char *folder)
{
    uint64_t found = VL_FINGERPRINT;
    for (const char *const *file = lab->files; *file != NULL; file++)
        found = take_file(found, folder, *file);
    found = vl_headers_fingerprint(found, folder);
    snprintf(text, VL_LAB_FINGERPRINT, "%016llx", (unsigned long long)found);
    return text;
}
