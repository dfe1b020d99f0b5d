#include "runner/printing.h"

#include "wire/printed.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LINE 1024 /* bytes; a longer one is cut into several */

/* A stream, and its line so far, after what comes before each. Both go the same way, else mpirun would mix them up. */
static struct printed {
    int descriptor;
    size_t length;
    char line[64 + LINE + 1];
} out = {.descriptor = STDOUT_FILENO}, err = {.descriptor = STDOUT_FILENO};
static char before[32]; /* each line; empty on one rank */
static size_t before_length;
static size_t counted; /* bytes of the case so far */
static uint32_t *marks;

static void put(int descriptor, const char *text, size_t n)
{
    while (n > 0) {
        ssize_t written = write(descriptor, text, n);
        if (written <= 0)
            return;
        counted += (size_t)written;
        text += written;
        n -= (size_t)written;
    }
}

/* Whole lines in one piece: those of several ranks come into one stream. */
static void end_line(struct printed *printed)
{
    if (printed->length == before_length)
        return;
    if (printed->line[printed->length - 1] != '\n')
        printed->line[printed->length++] = '\n';
    put(printed->descriptor, printed->line, printed->length);
    printed->length = before_length;
}

static ssize_t add(void *cookie, const char *text, size_t n)
{
    struct printed *printed = cookie;
    for (size_t i = 0; i < n; i++) {
        printed->line[printed->length++] = text[i];
        if (text[i] == '\n' || printed->length >= before_length + LINE)
            end_line(printed);
    }
    return (ssize_t)n;
}

static FILE *stream_of(struct printed *printed, FILE *otherwise)
{
    FILE *stream = fopencookie(printed, "w", (cookie_io_functions_t){.write = add});
    memcpy(printed->line, before, before_length);
    printed->length = before_length;
    if (stream == NULL)
        return otherwise;
    setvbuf(stream, NULL, _IONBF, 0);
    return stream;
}

void vl_printing_begin(int rank, int ranks, uint32_t *put_marks)
{
    marks = put_marks;
    if (ranks > 1)
        before_length = (size_t)snprintf(before, sizeof before, "rank %d: ", rank);
    stdout = stream_of(&out, stdout);
    stderr = stream_of(&err, stderr);
}

/* After what was printed since the last one, if anything was. */
static void put_mark(unsigned number)
{
    char mark[16], *at = mark + sizeof mark;
    end_line(&out);
    end_line(&err);
    if (counted == 0)
        return;
    *--at = VL_PRINTED_END;
    do /* snprintf has no place in a signal handler */
        *--at = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    *--at = VL_PRINTED_BEGIN;
    put(STDOUT_FILENO, at, (size_t)(mark + sizeof mark - at));
    __atomic_fetch_add(marks, 1, __ATOMIC_RELEASE);
    counted = 0;
}

void vl_printing_end_case(unsigned number)
{
    fflush(stdout);
    fflush(stderr);
    put_mark(number);
}

void vl_printing_last_words(void)
{
    put_mark(VL_PRINTED_NO_CASE);
}
