#include "wire/results.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct head {
    uint64_t number;
    uint64_t bytes;
};

/* At the end of the file. Its head says how long it is once all of it is there: until then, it is one
 * that no reader takes. */
static enum vl_status put_record(FILE *stream, unsigned number, const struct vl_bag *bag)
{
    struct head head = {.number = number, .bytes = UINT64_MAX};
    bool written = fseeko(stream, 0, SEEK_END) == 0;
    off_t at = ftello(stream);
    written = written && at >= 0 && fwrite(&head, sizeof head, 1, stream) == 1;
    enum vl_status status = vl_bag_put(bag, stream);
    if (status != VL_OK || !written || fflush(stream) != 0)
        return status != VL_OK ? status : VL_EIO;
    head.bytes = (uint64_t)(ftello(stream) - at) - sizeof head;
    written = fseeko(stream, at, SEEK_SET) == 0 && fwrite(&head, sizeof head, 1, stream) == 1;
    return written ? VL_OK : VL_EIO;
}

enum vl_status vl_results_add(const char *path, unsigned number, const struct vl_bag *bag)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    FILE *stream = file >= 0 ? fdopen(file, "w") : NULL;
    if (stream == NULL) {
        if (file >= 0)
            close(file);
        return file >= 0 ? VL_ENOMEM : VL_EIO;
    }
    off_t before = lseek(file, 0, SEEK_END);
    enum vl_status status = put_record(stream, number, bag);
    if (fflush(stream) != 0 && status == VL_OK)
        status = VL_EIO;
    if (status != VL_OK && before >= 0 && ftruncate(file, before) != 0)
        status = VL_EIO; /* what it leaves hides all that come later */
    fclose(stream);
    return status;
}

/* Where the last record of that number begins, and how long it is. */
static enum vl_status find_record(int file, unsigned number, off_t *at, size_t *bytes)
{
    struct head head;
    off_t next = 0;
    enum vl_status status = VL_EFORMAT;
    for (size_t i = 0; i < VL_RESULTS_MOST; i++) {
        if (pread(file, &head, sizeof head, next) != (ssize_t)sizeof head ||
            head.bytes > VL_RESULTS_MOST_BYTES)
            break;
        if (head.number == number) {
            *at = next + (off_t)sizeof head;
            *bytes = head.bytes;
            status = VL_OK;
        }
        next += (off_t)(sizeof head + head.bytes);
    }
    return status;
}

enum vl_status vl_results_take(char **bytes, size_t *count, const char *path, unsigned number)
{
    struct stat info;
    off_t at = 0;
    *bytes = NULL;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return errno == ELOOP ? VL_EFORMAT : VL_EIO;
    enum vl_status status = VL_EFORMAT;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode))
        status = find_record(file, number, &at, count);
    if (status == VL_OK && (*bytes = malloc(*count + 1)) == NULL)
        status = VL_ENOMEM;
    if (status == VL_OK && pread(file, *bytes, *count, at) != (ssize_t)*count)
        status = VL_EFORMAT;
    if (status != VL_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    close(file);
    return status;
}
