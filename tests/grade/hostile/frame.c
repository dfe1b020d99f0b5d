/*
 * The submission that makes many attempts in one grading: each in the place of a function of lab 01
 * (check_hostile.py puts them in). An attempt returns what its function returns. To change the
 * results that the runner has appended, it sets 'forge', which is called with their number.
 */
#include "../attack.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>

static void (*forge)(uint64_t number);

/* What the runner writes last of its results: their number, and how long they are. */
#define HEAD_BYTES 16

/* The runner writes its results with 'write', which this takes the place of. */
static ssize_t own_write(int file, const void *bytes, size_t n)
{
    void (*now)(uint64_t number) = forge;
    ssize_t result = syscall(SYS_write, file, bytes, n);
    char name[64], path[4096];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    ssize_t length = now != NULL ? readlink(name, path, sizeof path - 1) : 0;
    path[length > 0 ? length : 0] = '\0';
    if (strstr(path, "/results.") == NULL || n != HEAD_BYTES)
        return result;
    forge = NULL;
    now(*(const uint64_t *)bytes);
    return result;
}

__attribute__((constructor)) static void take_over_write(void)
{
    take_over((void *)write, (void *)own_write);
}

/* The last record of a number counts: a bag with that header, then that many zeros. */
UNUSED static void forge_results(uint64_t number, const char *header, size_t zeros)
{
    uint64_t length = strlen(header);
    char *bag = calloc(1, 8 + length + zeros);
    memcpy(bag, &length, 8);
    memcpy(bag + 8, header, length);
    forge_record(number, bag, 8 + length + zeros);
    free(bag);
}

/* One array in that header, without data. */
#define NOTHING(name, type)                                                                        \
    "\"" name "\":{\"dtype\":\"" type "\",\"shape\":[0],\"data_offsets\":[0,0]}"
/* A status, and one more array. */
#define STATUS "\"status\":{\"dtype\":\"I64\",\"shape\":[1],\"data_offsets\":[0,8]}"

/* ATTEMPTS */

/* The function under its name in the program: arguments stay where they are, and nobody looks. */
#define FUNCTION(name, attempt)                                                                    \
    enum vl_status in_place_of_##name(void) __asm__(#name);                                        \
    enum vl_status in_place_of_##name(void)                                                        \
    {                                                                                              \
        return attempt();                                                                          \
    }
/* FUNCTIONS */
