#include "train/log/shown.h"

#include <stdbool.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

static size_t put(char out[VL_SHOWN_LONGEST], size_t at, const void *bytes, size_t n)
{
    memcpy(out + at, bytes, n);
    out[at + n] = '\0';
    return at + n;
}

/* Length of a character with this first byte; 0 if there is none. */
static size_t length_from(unsigned char first)
{
    return first < 0x80                     ? 1
           : first >= 0xc2 && first <= 0xdf ? 2
           : first >= 0xe0 && first <= 0xef ? 3
           : first >= 0xf0 && first <= 0xf4 ? 4
                                            : 0;
}

/* Is 'byte' valid after 'first'? Table 3-7 of the Unicode standard: no overlong forms, no
 * surrogates, nothing past U+10FFFF. */
static bool is_second(unsigned char first, unsigned char byte)
{
    unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    unsigned char most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    return byte >= least && byte <= most;
}

static bool fits(const struct vl_shown *shown, unsigned char byte)
{
    return shown->count == 1 ? is_second(shown->pending[0], byte) : (byte & 0xc0) == 0x80;
}

/* C0, DEL and C1 steer a terminal; tab and line feed are text. */
static bool is_control(const unsigned char *character, size_t n)
{
    if (n == 1)
        return (character[0] < 0x20 && character[0] != '\n' && character[0] != '\t') ||
               character[0] == 0x7f;
    return n == 2 && character[0] == 0xc2 && character[1] < 0xa0;
}

size_t vl_shown_byte(char out[VL_SHOWN_LONGEST], struct vl_shown *shown, unsigned char byte)
{
    size_t length = 0;
    out[0] = '\0';
    if (shown->count > 0 && !fits(shown, byte)) {
        length = put(out, length, REPLACEMENT, 3);
        shown->count = 0;
    }
    shown->pending[shown->count++] = byte;
    size_t whole = length_from(shown->pending[0]);
    if (shown->count < whole)
        return length;
    if (whole == 0 || is_control(shown->pending, whole))
        length = put(out, length, REPLACEMENT, 3);
    else
        length = put(out, length, shown->pending, whole);
    shown->count = 0;
    return length;
}

size_t vl_shown_end(char out[VL_SHOWN_LONGEST], struct vl_shown *shown)
{
    out[0] = '\0';
    size_t length = shown->count > 0 ? put(out, 0, REPLACEMENT, 3) : 0;
    shown->count = 0;
    return length;
}

void vl_shown_text(char *out, size_t capacity, const char *bytes)
{
    struct vl_shown shown = {.count = 0};
    size_t length = 0;
    for (const char *c = bytes; *c != '\0' && capacity - length > VL_SHOWN_LONGEST; c++)
        length += vl_shown_byte(out + length, &shown, (unsigned char)*c);
    if (capacity - length >= VL_SHOWN_LONGEST)
        vl_shown_end(out + length, &shown);
}
