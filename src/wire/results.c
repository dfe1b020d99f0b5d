#include "wire/results.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct head {
    uint64_t number;
    uint64_t bytes;
};

/* The record as it will be in the file. */
static enum vl_status make_record(char **record, size_t *count, unsigned number,
                                  const struct vl_bag *bag)
{
    struct head head = {.number = number};
    *record = NULL;
    FILE *stream = open_memstream(record, count);
    if (stream == NULL)
        return VL_ENOMEM;
    fwrite(&head, sizeof head, 1, stream);
    enum vl_status status = vl_bag_put(bag, stream);
    if (fclose(stream) != 0)
        status = VL_ENOMEM;
    if (status == VL_OK)
        ((struct head *)*record)->bytes = *count - sizeof head;
    return status;
}

static enum vl_status write_all(int file, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written = write(file, bytes, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return VL_EIO;
        bytes += written;
        count -= (size_t)written;
    }
    return VL_OK;
}

enum vl_status vl_results_add(const char *path, unsigned number, const struct vl_bag *bag)
{
    char *record;
    size_t count = 0;
    enum vl_status status = make_record(&record, &count, number, bag);
    int file = status == VL_OK ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
    if (status == VL_OK)
        status = file >= 0 ? write_all(file, record, count) : VL_EIO;
    if (file >= 0)
        close(file);
    free(record);
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
