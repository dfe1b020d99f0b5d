#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"

/* Length of the valid sequence at s and its code point; 0 if there is none. Overlong forms,
 * surrogates and what lies above U+10FFFF are not valid. */
static size_t decode(const unsigned char *s, uint32_t *point)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = s[0] < 0x80             ? 1
               : (s[0] & 0xe0) == 0xc0 ? 2
               : (s[0] & 0xf0) == 0xe0 ? 3
               : (s[0] & 0xf8) == 0xf0 ? 4
                                       : 0;
    if (n < 2) {
        *point = s[0];
        return n;
    }
    uint32_t value = s[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80) /* a terminating zero stops here too */
            return 0;
        value = value << 6 | (s[i] & 0x3fu);
    }
    if (value < least[n] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
        return 0;
    *point = value;
    return n;
}

/* Control characters would steer a terminal; XML 1.0 has no way to write them, nor U+FFFE. */
static bool is_control(uint32_t point)
{
    return point < 0x20 || (point >= 0x7f && point <= 0x9f) || (point & 0xfffe) == 0xfffe;
}

/* Line and paragraph separators, and what changes the direction of text: both would show words
 * in a place where they are not. */
static bool displaces(uint32_t point)
{
    return (point >= 0x2028 && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
}

static bool showable(uint32_t point)
{
    return point == '\n' || point == '\t' || !(is_control(point) || displaces(point));
}

char *vl_utf8_clean(const char *text)
{
    if (text == NULL)
        text = "";
    char *clean = malloc(strlen(text) * strlen(REPLACEMENT) + 1);
    if (clean == NULL)
        return NULL;
    char *end = clean;
    for (const unsigned char *s = (const unsigned char *)text; *s != '\0';) {
        uint32_t point;
        size_t n = decode(s, &point);
        if (n > 0 && showable(point)) {
            memcpy(end, s, n);
            end += n;
        } else {
            memcpy(end, REPLACEMENT, strlen(REPLACEMENT));
            end += strlen(REPLACEMENT);
        }
        s += n > 0 ? n : 1;
    }
    *end = '\0';
    return clean;
}

static int point_width(uint32_t point)
{
    int combining = (point >= 0x300 && point <= 0x36f) || (point >= 0x200b && point <= 0x200f);
    int wide = (point >= 0x1100 && point <= 0x115f) || (point >= 0x2e80 && point <= 0xa4cf) ||
               (point >= 0xac00 && point <= 0xd7a3) || (point >= 0xf900 && point <= 0xfaff) ||
               (point >= 0xff00 && point <= 0xff60) || (point >= 0x1f300 && point <= 0x1faff);
    return combining ? 0 : wide ? 2 : 1;
}

size_t vl_utf8_fit(const char *text, int columns)
{
    const unsigned char *s = (const unsigned char *)text;
    while (*s != '\0') {
        uint32_t point;
        size_t n = decode(s, &point);
        columns -= point_width(point);
        if (columns < 0)
            break;
        s += n > 0 ? n : 1;
    }
    return (size_t)(s - (const unsigned char *)text);
}

int vl_utf8_width(const char *text)
{
    int width = 0;
    for (const unsigned char *s = (const unsigned char *)text; *s != '\0';) {
        uint32_t point;
        size_t n = decode(s, &point);
        width += n > 0 ? point_width(point) : 1; /* a stray byte is shown as one mark */
        s += n > 0 ? n : 1;
    }
    return width;
}
