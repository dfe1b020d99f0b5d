/*
 * What a person reads, in their language.
 *
 * Source sentences are English and pass through _(); catalogues are GNU gettext's. Only LC_CTYPE
 * and LC_MESSAGES are ever set: numbers stay in the C locale (see number.h).
 *
 * A machine may have no locale at all, so vialata brings private ones (made at build time) and
 * points LOCPATH at them.
 */
#ifndef VIALATA_BASE_TEXT_H
#define VIALATA_BASE_TEXT_H

#include "vialata/status.h"
#include <libintl.h>
#include <stdarg.h>

#define VL_TEXT_DOMAIN "vialata"

#define _(sentence)               dgettext(VL_TEXT_DOMAIN, sentence)
#define N_(sentence)              sentence /* marked here, translated where it is shown */
#define VL_NGETTEXT(one, many, n) dngettext(VL_TEXT_DOMAIN, one, many, n)

/* dgettext with a context, for words that mean several things ("stage", "expert", "rank", "bias").
 * Both arguments are literals. */
#define VL_PGETTEXT(context, word) vl_text_in_context(context "\004" word, word)
const char *vl_text_in_context(const char *key, const char *word);

/* A sentence with values in it, as printf makes it. The caller frees it; NULL without memory. */
char *vl_text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *vl_text_vformat(const char *format, va_list values) __attribute__((format(printf, 1, 0)));

/*
 * Choose the language. 'wanted' is what --lang said (en, fr, pt, pt_BR, es, sk), or NULL: then
 * LANGUAGE, LC_ALL, LC_MESSAGES and LANG decide, and English if none of them names one of ours.
 * 'share' is the folder that holds locale/ (catalogues) and locpath/ (private locales).
 * May be called again. VL_EINVAL for an unknown 'wanted' (English is in force then).
 */
enum vl_status vl_text_start(const char *wanted, const char *share);

/* The language in force: "en", "fr", "pt_BR", "es" or "sk". */
const char *vl_text_language(void);

/* Our code for what a person or an environment variable wrote ("pt", "sk_SK.UTF-8"); NULL if none.
 */
const char *vl_text_language_of(const char *name);

#endif
