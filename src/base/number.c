/*
 * printf writes the digits in the C locale, since LC_NUMERIC is never set; this file puts in the
 * marks of the language.
 *
 * The forms: CLDR for fr and pt_BR; for es the Academy's (a thin space, and four digits
 * stay together), since a point means thousands in Madrid and decimals in Mexico. In sk and en, too,
 * four digits stay together, as in the pages of the course.
 */
#include "base/number.h"

#include "base/text.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NO_BREAK        "\u00a0"
#define NARROW_NO_BREAK "\u202f"

struct form {
    const char *language;
    const char *mark;  /* between whole and decimals */
    const char *group; /* between thousands */
    size_t group_from; /* fewest digits that are grouped */
    const char *percent;
    const char *byte; /* the unit's letter: "KiB", "Kio" */
};

static const struct form forms[] = {
    {"en", ".", ",", 5, "%", "B"},
    {"fr", ",", NARROW_NO_BREAK, 4, NO_BREAK "%", "o"},
    {"pt_BR", ",", ".", 4, "%", "B"},
    {"es", ",", NARROW_NO_BREAK, 5, NO_BREAK "%", "B"},
    {"sk", ",", NO_BREAK, 5, NO_BREAK "%", "B"},
};

static const struct form *form_in_force(void)
{
    const char *language = vl_text_language();

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].language, language) == 0)
            return &forms[i];
    return &forms[0];
}

/* Write "-12345.67e+08" in the form of the language. */
static char *dress(char buffer[VL_NUMBER_TEXT], const char *plain)
{
    const struct form *form = form_in_force();
    const char *digits = plain + (*plain == '-');
    size_t whole = strspn(digits, "0123456789");
    char *out = buffer;

    if (strspn(digits, "0.") == strlen(digits))
        plain = digits; /* a rounded -0.0 is zero */
    if (plain != digits)
        *out++ = '-';
    for (size_t i = 0; i < whole; i++) {
        if (i > 0 && (whole - i) % 3 == 0 && whole >= form->group_from)
            out = stpcpy(out, form->group);
        *out++ = digits[i];
    }
    digits += whole;
    if (*digits == '.') {
        out = stpcpy(out, form->mark);
        digits++;
    }
    strcpy(out, digits);
    return buffer;
}

static char *not_finite(char buffer[VL_NUMBER_TEXT], double value)
{
    return strcpy(buffer, isnan(value) ? "NaN" : value > 0 ? "\u221e" : "-\u221e");
}

char *vl_number_text(char buffer[VL_NUMBER_TEXT], double value, int decimals)
{
    char plain[VL_NUMBER_TEXT];

    if (!isfinite(value))
        return not_finite(buffer, value);
    if (fabs(value) >= 1e15)
        return vl_number_short(buffer, value, 6);
    decimals = decimals < 0 ? 0 : decimals > 12 ? 12 : decimals;
    snprintf(plain, sizeof plain, "%.*f", decimals, value);
    return dress(buffer, plain);
}

char *vl_number_short(char buffer[VL_NUMBER_TEXT], double value, int digits)
{
    char plain[VL_NUMBER_TEXT];

    if (!isfinite(value))
        return not_finite(buffer, value);
    digits = digits < 1 ? 1 : digits > 17 ? 17 : digits;
    snprintf(plain, sizeof plain, "%.*g", digits, value);
    return dress(buffer, plain);
}

char *vl_number_percent(char buffer[VL_NUMBER_TEXT], double share, int decimals)
{
    vl_number_text(buffer, share * 100, decimals);
    return strcat(buffer, form_in_force()->percent);
}

char *vl_number_bytes(char buffer[VL_NUMBER_TEXT], uint64_t bytes)
{
    static const char *const prefixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
    double value = (double)bytes;
    size_t power = 0;

    /* What would round to 1024.0 is one of the next unit. */
    while (value >= (power == 0 ? 1024 : 1023.95) && power < 6) {
        value /= 1024;
        power++;
    }
    vl_number_text(buffer, value, power == 0 ? 0 : 1);
    strcat(buffer, NO_BREAK);
    strcat(buffer, prefixes[power]);
    return strcat(buffer, form_in_force()->byte);
}

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

bool vl_number_parts(const char *text, size_t blank)
{
    static const char *const units[] = {
        "B",      "o",    "KiB",   "MiB",    "GiB",     "TiB",   "Kio",   "Mio",  "Gio",   "Tio",
        "kB",     "MB",   "GB",    "TB",     "ko",      "Mo",    "Go",    "To",   "bit",   "kbit",
        "Mbit",   "Gbit", "s",     "ms",     "µs",      "us",    "ns",    "W",    "kW",    "MW",
        "Wh",     "kWh",  "MWh",   "GWh",    "FLOP",    "GFLOP", "TFLOP", "byte", "bytes", "octet",
        "octets", "bajt", "bajty", "bajtov", "bajtoch", "bits",  "bitov", "%"};
    if (text[blank] != ' ' || blank == 0 || !isdigit((unsigned char)text[blank - 1]))
        return false;
    const char *word = text + blank + 1;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t length = strlen(units[i]);
        if (strncmp(word, units[i], length) == 0 && !is_letter(word[length]))
            return true;
    }
    return false;
}
