#include "wire/spans.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_spans(const char *folder, int rank, int flags)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/" VL_SPANS_NAME, folder, rank);
    return open(path, O_RDWR | O_CLOEXEC | flags, 0600);
}

bool vl_spans_make(const char *folder, int rank, uint64_t most)
{
    const struct vl_spans empty = {.most = most};
    int file = open_spans(folder, rank, O_CREAT | O_EXCL);
    bool made = file >= 0 &&
                ftruncate(file, (off_t)(sizeof empty + most * sizeof empty.one[0])) == 0 &&
                write(file, &empty, sizeof empty) == sizeof empty;
    if (file >= 0)
        close(file);
    return made;
}

struct vl_spans *vl_spans_map(const char *folder, int rank)
{
    int file = open_spans(folder, rank, 0);
    struct stat info;
    void *spans = MAP_FAILED;
    if (file >= 0 && fstat(file, &info) == 0 && info.st_size >= (off_t)sizeof(struct vl_spans))
        spans = mmap(NULL, (size_t)info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    if (spans == MAP_FAILED)
        return NULL;
    struct vl_spans *found = spans;
    uint64_t room = ((uint64_t)info.st_size - sizeof *found) / sizeof found->one[0];
    if (found->most > room) /* somebody else wrote it */
        found->most = room;
    return found;
}

void vl_spans_put(struct vl_spans *spans, const struct vl_spans_one *one)
{
    uint64_t at = spans->count;
    if (at >= spans->most) {
        spans->lost++;
        return;
    }
    spans->one[at] = *one;
    __atomic_store_n(&spans->count, at + 1, __ATOMIC_RELEASE);
}
