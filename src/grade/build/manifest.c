#include "grade/build/manifest.h"

#include "base/file.h"
#include "base/path.h"
#include "grade/build/lab_files.h"
#include "grade/build/sources.h"

#include <dirent.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void hash_text(char text[VL_HASH_TEXT], struct sha256_ctx *hash)
{
    unsigned char digest[SHA256_DIGEST_SIZE];
    sha256_digest(hash, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
}

void vl_manifest_hash(char text[VL_HASH_TEXT], const void *bytes, size_t n)
{
    struct sha256_ctx hash;
    sha256_init(&hash);
    sha256_update(&hash, n, bytes);
    hash_text(text, &hash);
}

static enum vl_status append(struct vl_manifest *manifest, const char *name, const char *bytes,
                             size_t n)
{
    struct vl_manifest_file *files =
        realloc(manifest->files, (manifest->count + 1) * sizeof *files);
    if (files == NULL)
        return VL_ENOMEM;
    manifest->files = files;
    struct vl_manifest_file *file = &files[manifest->count];
    *file = (struct vl_manifest_file){.name = strdup(name), .bytes = n};
    if (file->name == NULL)
        return VL_ENOMEM;
    vl_manifest_hash(file->hash, bytes, n);
    manifest->count++;
    return VL_OK;
}

enum vl_status vl_manifest_add(struct vl_manifest *manifest, const char *folder, const char *name)
{
    char *path = vl_path_join(folder, name), *bytes = NULL;
    struct stat info;
    size_t n = 0;
    enum vl_status status = path != NULL ? VL_OK : VL_ENOMEM;
    if (path != NULL && lstat(path, &info) == 0 && S_ISREG(info.st_mode)) {
        status = vl_file_read(&bytes, &n, path, VL_SOURCE_BYTES);
        if (status == VL_OK)
            status = append(manifest, name, bytes, n);
        else if (status != VL_ENOMEM)
            status = VL_OK; /* grading does not take it either */
    }
    free(bytes);
    free(path);
    return status;
}

enum vl_status vl_manifest_add_headers(struct vl_manifest *manifest, const char *folder)
{
    struct dirent **headers = NULL;
    int count = vl_headers_list(&headers, folder);
    size_t most = manifest->count + VL_HEADERS;
    enum vl_status status = VL_OK;
    for (int i = 0; i < count; i++) {
        if (status == VL_OK && manifest->count < most)
            status = vl_manifest_add(manifest, folder, headers[i]->d_name);
        free(headers[i]);
    }
    free(headers);
    return status;
}

static int by_name(const void *left, const void *right)
{
    const struct vl_manifest_file *a = left, *b = right;
    return strcmp(a->name, b->name);
}

void vl_manifest_close(struct vl_manifest *manifest)
{
    struct sha256_ctx hash;
    if (manifest->count == 0)
        return;
    qsort(manifest->files, manifest->count, sizeof *manifest->files, by_name);
    sha256_init(&hash);
    for (size_t i = 0; i < manifest->count; i++) {
        const struct vl_manifest_file *file = &manifest->files[i];
        sha256_update(&hash, strlen(file->hash), (const uint8_t *)file->hash);
        sha256_update(&hash, 2, (const uint8_t *)"  ");
        sha256_update(&hash, strlen(file->name), (const uint8_t *)file->name);
        sha256_update(&hash, 1, (const uint8_t *)"\n");
    }
    hash_text(manifest->hash, &hash);
}

enum vl_status vl_manifest_read(struct vl_manifest *manifest, const struct vl_lab *lab,
                                const char *folder)
{
    *manifest = (struct vl_manifest){0};
    enum vl_status status = VL_OK;
    for (const char *const *file = lab->files; status == VL_OK && *file != NULL; file++)
        status = vl_manifest_add(manifest, folder, *file);
    if (status == VL_OK)
        status = vl_manifest_add_headers(manifest, folder);
    vl_manifest_close(manifest);
    return status;
}

void vl_manifest_free(struct vl_manifest *manifest)
{
    for (size_t i = 0; i < manifest->count; i++)
        free(manifest->files[i].name);
    free(manifest->files);
    *manifest = (struct vl_manifest){0};
}
