/*
 * What the fuzz targets share. Each is one file: it passes any bytes to a parser (libFuzzer calls
 * LLVMFuzzerTestOneInput), and make_seeds() writes the inputs to start from.
 *
 * Started with VIALATA_SEEDS=FOLDER, a target first writes its seeds there. Included once, by the
 * file of the target.
 */
#ifndef VIALATA_TESTS_FUZZ_FUZZ_H
#define VIALATA_TESTS_FUZZ_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *count, char ***words);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* The target's: calls seed() for each input worth starting from. */
static void make_seeds(void);

/* Stop like a crash: the target found something that must not happen. */
#define MUST(truth)                                                                                \
    do {                                                                                           \
        if (!(truth)) {                                                                            \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #truth);              \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

static inline void seed(const char *name, const void *bytes, size_t n)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", getenv("VIALATA_SEEDS"), name);
    FILE *file = fopen(path, "wb");
    MUST(file != NULL && fwrite(bytes, 1, n, file) == n && fclose(file) == 0);
}

static inline void seed_text(const char *name, const char *text)
{
    seed(name, text, strlen(text));
}

int LLVMFuzzerInitialize(int *count, char ***words)
{
    (void)count;
    (void)words;
    if (getenv("VIALATA_SEEDS") != NULL)
        make_seeds();
    return 0;
}

/* For parsers that take a path: a file in memory that holds just these bytes. Returns its
 * descriptor, to be closed. */
static inline int file_of(char path[64], const uint8_t *bytes, size_t n)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    MUST(fd >= 0);
    for (size_t done = 0; done < n;) {
        ssize_t wrote = write(fd, bytes + done, n - done);
        MUST(wrote > 0);
        done += (size_t)wrote;
    }
    snprintf(path, 64, "/proc/self/fd/%d", fd);
    return fd;
}

#endif
