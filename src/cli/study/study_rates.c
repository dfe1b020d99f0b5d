/* The rates of `study bandwidth`, as they are written. */
#include "cli/study/study_bandwidth.h"

#include "base/text.h"
#include "cli/shared/say.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Slower roads would take hours, and a virtual cable is not as fast as the upper end. */
#define LEAST_RATE "10mbit"
#define MOST_RATE  "100gbit"
#define LEAST      (10e6 / 8)
#define MOST       (100e9 / 8)
#define EXAMPLE    "100mbit,1gbit"

static enum vl_exit refuse(const char *text)
{
    return vl_say(VL_EXIT_USAGE,
                  _("`--rates` takes from 2 to %1$d different rates from %2$s to %3$s, with commas "
                    "between them, such as %4$s, and `%5$s` is not such a list."),
                  VL_BANDWIDTH_RATES, LEAST_RATE, MOST_RATE, EXAMPLE, text);
}

/* "100mbit" or "1.6gbit" of this length, in bytes/s; 0 if it is not a rate. */
static double read_rate(const char *word, size_t length)
{
    size_t digits = strspn(word, "0123456789."), unit = length > digits ? length - digits : 0;
    const char *end = word + digits;
    char number[VL_BANDWIDTH_SPELLED], *rest;
    if (digits == 0 || length >= sizeof number || unit != 4)
        return 0;
    snprintf(number, sizeof number, "%.*s", (int)digits, word);
    double value = strtod(number, &rest);
    if (*rest != '\0')
        return 0;
    return strncmp(end, "mbit", unit) == 0   ? value * 1e6 / 8
           : strncmp(end, "gbit", unit) == 0 ? value * 1e9 / 8
                                             : 0;
}

/* Keep the rates rising. False if there are too many, or if this one is there already. */
static bool insert(struct vl_bandwidth_request *request, double rate, const char *word,
                   size_t length)
{
    size_t at = request->count;
    if (at == VL_BANDWIDTH_RATES)
        return false;
    while (at > 0 && request->rates[at - 1] >= rate) {
        if (request->rates[at - 1] == rate)
            return false;
        at--;
    }
    size_t behind = request->count++ - at;
    memmove(&request->rates[at + 1], &request->rates[at], behind * sizeof request->rates[0]);
    memmove(&request->spelled[at + 1], &request->spelled[at], behind * sizeof request->spelled[0]);
    request->rates[at] = rate;
    snprintf(request->spelled[at], VL_BANDWIDTH_SPELLED, "%.*s", (int)length, word);
    return true;
}

enum vl_exit vl_bandwidth_read_rates(struct vl_bandwidth_request *request, const char *text)
{
    request->count = 0;
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        double rate = read_rate(at, length);
        if (!(rate >= LEAST && rate <= MOST) || !insert(request, rate, at, length))
            return refuse(text);
        at += length;
        if (*at == '\0')
            return request->count >= 2 ? VL_EXIT_OK : refuse(text);
    }
}
