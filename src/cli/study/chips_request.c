/* The lists of `study chips`, as they are written. */
#include "cli/study/study_chips.h"

#include "base/text.h"
#include "cli/shared/say.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_FACTOR   (1.0 / 1024)
#define MOST_FACTOR    1024.0
#define FACTOR_EXAMPLE "1/16,0.25,1,4"
#define MOST_WORD      256

/* Hand each word of a list to 'take'; false if there is an empty or a very long one, or if one is
 * refused. */
static bool each_word(const char *text, bool (*take)(struct vl_chips_request *, const char *),
                      struct vl_chips_request *request)
{
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        char word[MOST_WORD];
        if (length == 0 || length >= sizeof word)
            return false;
        memcpy(word, at, length);
        word[length] = '\0';
        if (!take(request, word))
            return false;
        at += length;
        if (*at == '\0')
            return true;
    }
}

static bool take_machine(struct vl_chips_request *request, const char *word)
{
    for (size_t i = 0; i < request->machine_count; i++)
        if (strcmp(request->machines[i], word) == 0)
            return false;
    if (request->machine_count == VL_CHIPS_MACHINES)
        return false;
    char *name = strdup(word);
    if (name != NULL)
        request->machines[request->machine_count++] = name;
    return name != NULL;
}

static bool take_size(struct vl_chips_request *request, const char *word)
{
    size_t at = request->size_count, size = 0;
    for (size_t power = VL_CHIPS_LEAST; power <= VL_CHIPS_MOST; power *= 2)
        if (strspn(word, "0123456789") == strlen(word) && strtoull(word, NULL, 10) == power)
            size = power;
    if (size == 0 || at == VL_CHIPS_SIZES)
        return false;
    for (; at > 0 && request->sizes[at - 1] >= size; at--)
        if (request->sizes[at - 1] == size)
            return false;
    memmove(&request->sizes[at + 1], &request->sizes[at],
            (request->size_count++ - at) * sizeof request->sizes[0]);
    request->sizes[at] = size;
    return true;
}

/* "1/16" or "0.25"; 0 if it is neither. */
static double read_factor(const char *word)
{
    char *end;
    double value = strtod(word, &end);
    if (strspn(word, "0123456789.") != (size_t)(end - word) || end == word)
        return 0;
    if (*end == '/') {
        const char *below = end + 1;
        double divisor = strtod(below, &end);
        if (strspn(below, "0123456789.") != (size_t)(end - below) || end == below)
            return 0;
        value /= divisor;
    }
    return *end == '\0' ? value : 0;
}

static bool take_factor(struct vl_chips_request *request, const char *word)
{
    size_t at = request->factor_count;
    double factor = read_factor(word);
    if (!(factor >= LEAST_FACTOR && factor <= MOST_FACTOR) || at == VL_BANDWIDTH_RATES)
        return false;
    for (; at > 0 && request->factors[at - 1] >= factor; at--)
        if (request->factors[at - 1] == factor)
            return false;
    memmove(&request->factors[at + 1], &request->factors[at],
            (request->factor_count++ - at) * sizeof request->factors[0]);
    request->factors[at] = factor;
    return true;
}

enum vl_exit vl_chips_read(struct vl_chips_request *request, const char *machines,
                           const char *sizes, const char *factors)
{
    if (!each_word(sizes, take_size, request))
        return vl_say(
            VL_EXIT_USAGE,
            _("`--chips` takes up to %1$d different powers of two from %2$d to %3$d, with commas "
              "between them, such as %4$s, and `%5$s` is not such a list."),
            VL_CHIPS_SIZES, VL_CHIPS_LEAST, VL_CHIPS_MOST, "64,512", sizes);
    if (!each_word(factors, take_factor, request) || request->factor_count < 2)
        return vl_say(VL_EXIT_USAGE,
                      _("`--factors` takes from 2 to %1$d different factors from %2$s to %3$d, "
                        "with commas between them, such as %4$s, and `%5$s` is not such a list."),
                      VL_BANDWIDTH_RATES, "1/1024", (int)MOST_FACTOR, FACTOR_EXAMPLE, factors);
    if (!each_word(machines, take_machine, request))
        return vl_say(VL_EXIT_USAGE,
                      _("`--machines` takes up to %1$d different machines, with commas between "
                        "them, such as %2$s, and `%3$s` is not such a list."),
                      VL_CHIPS_MACHINES, "h100-ib,tpu-v5p", machines);
    return VL_EXIT_OK;
}

void vl_chips_request_free(struct vl_chips_request *request)
{
    for (size_t i = 0; i < request->machine_count; i++)
        free(request->machines[i]);
    request->machine_count = 0;
}
