/*
 * Why the locale is set by hand: libintl translates nothing while LC_MESSAGES is "C", and since
 * glibc 2.39 nothing under C.UTF-8 either, whatever LANGUAGE says. So a real UTF-8 locale is
 * needed, and a machine may have none: LOCPATH leads to ours while setlocale loads it, and is put
 * back at once, since mpirun, compilers and pagers have locales of their own. LANGUAGE stays set,
 * because libintl reads it at every lookup, and so that the programs we start speak it too.
 */
#include "base/text.h"

#include <ctype.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct language {
    const char *code;   /* what po/LINGUAS calls it */
    const char *prefix; /* what any of its names begins with */
    const char *locale; /* its private locale, made by po/texts.cmake */
};

static const struct language languages[] = {
    {"en", "en", "en_US.UTF-8"}, {"fr", "fr", "fr_FR.UTF-8"}, {"pt_BR", "pt", "pt_BR.UTF-8"},
    {"es", "es", "es_ES.UTF-8"}, {"sk", "sk", "sk_SK.UTF-8"},
};

static const struct language *const english = &languages[0];
static const struct language *current = &languages[0];

/* The language named by the first 'length' characters of name: "pt", "pt-BR", "sk_SK.UTF-8". */
static const struct language *language_find(const char *name, size_t length)
{
    size_t letters = 0;

    while (letters < length && isalpha((unsigned char)name[letters]))
        letters++;
    if (letters < length && strchr("_-.@", name[letters]) == NULL)
        return NULL;
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        if (strlen(languages[i].prefix) == letters &&
            strncasecmp(name, languages[i].prefix, letters) == 0)
            return &languages[i];
    return NULL;
}

/* LANGUAGE is a list of wishes; then the first of the three POSIX variables that is set decides. */
static const struct language *language_from_environment(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    const char *wish = getenv("LANGUAGE");

    while (wish != NULL && *wish != '\0') {
        size_t length = strcspn(wish, ":");
        const struct language *found = language_find(wish, length);

        if (found != NULL)
            return found;
        wish += length + (wish[length] == ':');
    }
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);

        if (value != NULL && *value != '\0') {
            const struct language *found = language_find(value, strlen(value));
            return found != NULL ? found : english;
        }
    }
    return english;
}

/* True only if both categories could be set. */
static bool locale_set(const char *name)
{
    return setlocale(LC_CTYPE, name) != NULL && setlocale(LC_MESSAGES, name) != NULL;
}

static int locale_set_private(const char *name, const char *share)
{
    char *folder;
    char *before = getenv("LOCPATH");
    int set = 0;

    if (share == NULL || (before != NULL && (before = strdup(before)) == NULL))
        return 0;
    if (asprintf(&folder, "%s/locpath", share) >= 0) {
        if (setenv("LOCPATH", folder, 1) == 0)
            set = locale_set(name);
        free(folder);
    }
    if (before != NULL)
        setenv("LOCPATH", before, 1);
    else
        unsetenv("LOCPATH");
    free(before);
    return set;
}

/* Our own locale, else the machine's. Under C.UTF-8 only an older glibc translates. */
static void locale_start(const char *share)
{
    if (locale_set_private(current->locale, share) || locale_set(current->locale) ||
        locale_set(english->locale) || locale_set("C.UTF-8"))
        return;
    locale_set("C");
}

static void catalogues_find(const char *share)
{
    const char *chosen = getenv("VIALATA_LOCALEDIR");
    char *folder = NULL;

    if (chosen != NULL && *chosen != '\0')
        bindtextdomain(VL_TEXT_DOMAIN, chosen);
    else if (share != NULL && asprintf(&folder, "%s/locale", share) >= 0) {
        bindtextdomain(VL_TEXT_DOMAIN, folder);
        free(folder);
    }
    bind_textdomain_codeset(VL_TEXT_DOMAIN, "UTF-8");
    textdomain(VL_TEXT_DOMAIN); /* also makes libintl forget what it looked up before */
}

enum vl_status vl_text_start(const char *wanted, const char *share)
{
    enum vl_status status = VL_OK;

    if (wanted == NULL)
        current = language_from_environment();
    else {
        current = language_find(wanted, strlen(wanted));
        if (current == NULL) {
            current = english;
            status = VL_EINVAL;
        }
    }
    if (setenv("LANGUAGE", current->code, 1) != 0)
        return VL_ENOMEM;
    locale_start(share);
    catalogues_find(share);
    return status;
}

const char *vl_text_language(void)
{
    return current->code;
}

const char *vl_text_language_of(const char *name)
{
    const struct language *found = name != NULL ? language_find(name, strlen(name)) : NULL;

    return found != NULL ? found->code : NULL;
}

const char *vl_text_in_context(const char *key, const char *word)
{
    const char *found = dgettext(VL_TEXT_DOMAIN, key);

    return found == key ? word : found;
}

char *vl_text_vformat(const char *format, va_list values)
{
    char *text = NULL;
    return vasprintf(&text, format, values) >= 0 ? text : NULL;
}

char *vl_text_format(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    char *text = vl_text_vformat(format, values);
    va_end(values);
    return text;
}
