/* Allocations, copies, and sleeps. */
#include "runner/counted/counted.h"

#include <stddef.h>
#include <time.h>
#include <unistd.h>

#define ALLOCATES(name, parameters, ...)                                                           \
    void *__real_##name parameters;                                                                \
    void *__wrap_##name parameters;                                                                \
    void *__wrap_##name parameters                                                                 \
    {                                                                                              \
        void *memory;                                                                              \
        VL_TIMED_INTO(allocation_ns, memory = __real_##name(__VA_ARGS__));                         \
        vl_counted.allocations += vl_counted_on;                                                   \
        return memory;                                                                             \
    }
ALLOCATES(malloc, (size_t bytes), bytes)
ALLOCATES(calloc, (size_t count, size_t bytes), count, bytes)
ALLOCATES(realloc, (void *memory_, size_t bytes), memory_, bytes)
ALLOCATES(aligned_alloc, (size_t alignment, size_t bytes), alignment, bytes)

VL_WRAPS(void, free, void *memory)
{
    VL_TIMED_INTO(allocation_ns, __real_free(memory));
}

#define COPIES(name)                                                                               \
    VL_WRAPS(void *, name, void *to, const void *from, size_t bytes)                               \
    {                                                                                              \
        VL_TIMED_INTO(copy_ns, __real_##name(to, from, bytes));                                    \
        if (vl_counted_on)                                                                         \
            vl_counted.copied_bytes += (int64_t)bytes;                                             \
        return to;                                                                                 \
    }
COPIES(memcpy)
COPIES(memmove)

#define SLEEPS(type, name, parameters, ...)                                                        \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        type result;                                                                               \
        VL_TIMED_INTO(sleep_ns, result = __real_##name(__VA_ARGS__));                              \
        vl_counted.sleeps += vl_counted_on;                                                        \
        return result;                                                                             \
    }
SLEEPS(int, usleep, (useconds_t microseconds), microseconds)
SLEEPS(unsigned, sleep, (unsigned seconds), seconds)
SLEEPS(int, nanosleep, (const struct timespec *wanted, struct timespec *left), wanted, left)
