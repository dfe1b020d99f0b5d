/*
 * The language in force, on a machine that may have no locale: the test makes small catalogues and
 * the private locales of its own, and clears the environment before each case.
 */
#include "base/text.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const struct language {
    const char *code;
    const char *locale;
    const char *plural;
    const char *hello;
    const char *files[4]; /* for 0, 1, 2 and 5 */
    const char *stage;
} languages[] = {
    {"fr", "fr_FR", "nplurals=2; plural=(n > 1);", "Bonjour", {"un", "un", "des", "des"}, "étage"},
    {"pt_BR", "pt_BR", "nplurals=2; plural=(n > 1);", "Olá", {"un", "un", "des", "des"}, "etapa"},
    {"es", "es_ES", "nplurals=2; plural=(n != 1);", "Hola", {"des", "un", "des", "des"}, "etapa"},
    {"sk",
     "sk_SK",
     "nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;",
     "Ahoj",
     {"mnoho", "un", "des", "mnoho"},
     "stupeň"},
};

#define LANGUAGES (sizeof languages / sizeof *languages)

static char share[] = "/tmp/vialata test_text XXXXXX"; /* a space, since a home may have one */

static int run(const char *format, const char *a, const char *b)
{
    char command[1024];

    snprintf(command, sizeof command, format, share, a, b);
    return system(command) == 0 ? 0 : -1;
}

/* The build's own private locale, or one made here where the build made no texts. */
static int locale_make(const char *name)
{
    return run("cd '%1$s/locpath' && { cp -r \"$VIALATA_PLACE/share/locpath/%2$s.UTF-8\" . || "
               "localedef --no-archive -i %2$s -f UTF-8 ./%2$s.UTF-8; } 2>/dev/null",
               name, "");
}

static int share_make(void **state)
{
    (void)state;
    if (mkdtemp(share) == NULL || run("mkdir -p '%s/locpath'", "", "") != 0 ||
        locale_make("en_US") != 0)
        return -1;
    for (size_t i = 0; i < LANGUAGES; i++) {
        const struct language *language = &languages[i];
        char path[256];

        if (locale_make(language->locale) != 0 ||
            run("mkdir -p '%s/locale/%s/LC_MESSAGES'", language->code, "") != 0)
            return -1;
        snprintf(path, sizeof path, "%s/po", share);
        FILE *po = fopen(path, "w");
        if (po == NULL)
            return -1;
        fprintf(po,
                "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n"
                "\"Plural-Forms: %s\\n\"\n\nmsgid \"Hello\"\nmsgstr \"%s\"\n\n"
                "msgid \"%%d file\"\nmsgid_plural \"%%d files\"\n"
                "msgstr[0] \"un\"\nmsgstr[1] \"des\"\n%s\n"
                "msgctxt \"pipeline\"\nmsgid \"stage\"\nmsgstr \"%s\"\n",
                language->plural, language->hello,
                strcmp(language->code, "sk") == 0 ? "msgstr[2] \"mnoho\"\n" : "", language->stage);
        if (fclose(po) != 0 || run("cd '%s' && msgfmt -o 'locale/%s/LC_MESSAGES/vialata.mo' po",
                                   language->code, "") != 0)
            return -1;
    }
    return 0;
}

static int share_remove(void **state)
{
    (void)state;
    return run("rm -rf '%s'", "", "");
}

static int environment_clear(void **state)
{
    static const char *const names[] = {"LANGUAGE", "LC_ALL",  "LC_MESSAGES",
                                        "LANG",     "LOCPATH", "VIALATA_LOCALEDIR"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
    return 0;
}

static void assert_speaks(const struct language *language)
{
    static const unsigned long counts[] = {0, 1, 2, 5};

    char locale[32];

    /* Older glibc would translate under C.UTF-8 too; newer only under a locale like this. */
    snprintf(locale, sizeof locale, "%s.UTF-8", language->locale);
    assert_string_equal(setlocale(LC_MESSAGES, NULL), locale);
    assert_string_equal(vl_text_language(), language->code);
    assert_string_equal(_("Hello"), language->hello);
    assert_string_equal(VL_PGETTEXT("pipeline", "stage"), language->stage);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(VL_NGETTEXT("%d file", "%d files", counts[i]), language->files[i]);
}

static void assert_speaks_english(void)
{
    assert_string_equal(vl_text_language(), "en");
    assert_string_equal(_("Hello"), "Hello");
    assert_string_equal(VL_PGETTEXT("pipeline", "stage"), "stage");
    assert_string_equal(VL_NGETTEXT("%d file", "%d files", 0), "%d files");
    assert_string_equal(VL_NGETTEXT("%d file", "%d files", 1), "%d file");
}

static void every_language_speaks_in_an_empty_environment_and_back(void **state)
{
    (void)state;
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < LANGUAGES; i++) {
            assert_int_equal(vl_text_start(languages[i].code, share), VL_OK);
            assert_speaks(&languages[i]);
        }
        assert_int_equal(vl_text_start("en", share), VL_OK);
        assert_speaks_english();
    }
}

static void every_language_speaks_under_foreign_settings(void **state)
{
    static const char *const settings[] = {"C", "C.UTF-8", "xx_YY", "de_DE.UTF-8", "POSIX"};

    (void)state;
    for (size_t s = 0; s < sizeof settings / sizeof *settings; s++)
        for (size_t i = 0; i < LANGUAGES; i++) {
            setenv("LANG", settings[s], 1);
            setenv("LC_ALL", settings[s], 1);
            setenv("LANGUAGE", "de", 1);
            assert_int_equal(vl_text_start(languages[i].code, share), VL_OK);
            assert_speaks(&languages[i]);
            setenv("LANGUAGE", languages[i].code, 1);
            assert_int_equal(vl_text_start(NULL, share), VL_OK);
            assert_speaks(&languages[i]);
        }
}

static void the_environment_chooses_in_gettext_order(void **state)
{
    static const struct {
        const char *language, *all, *messages, *lang, *chosen;
    } cases[] = {
        {"", "", "", "", "en"},
        {"", "", "", "xx_YY", "en"},
        {"", "", "", "sk_SK.UTF-8", "sk"},
        {"", "", "fr_FR", "sk_SK.UTF-8", "fr"},
        {"", "es_MX.UTF-8", "fr_FR", "sk_SK", "es"},
        {"", "C", "", "sk_SK", "en"},
        {"pt_PT", "es_ES", "fr_FR", "sk_SK", "pt_BR"},
        {"de:sk:fr", "es_ES", "", "", "sk"},
        {"de", "", "", "fr", "fr"},
        {"::", "", "", "sk@euro", "sk"},
        {"en", "", "", "fr", "en"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setenv("LANGUAGE", cases[i].language, 1);
        setenv("LC_ALL", cases[i].all, 1);
        setenv("LC_MESSAGES", cases[i].messages, 1);
        setenv("LANG", cases[i].lang, 1);
        assert_int_equal(vl_text_start(NULL, share), VL_OK);
        assert_string_equal(vl_text_language(), cases[i].chosen);
    }
}

static void names_of_languages_are_understood(void **state)
{
    (void)state;
    assert_string_equal(vl_text_language_of("pt"), "pt_BR");
    assert_string_equal(vl_text_language_of("pt-BR"), "pt_BR");
    assert_string_equal(vl_text_language_of("PT_br.utf8"), "pt_BR");
    assert_string_equal(vl_text_language_of("sk_SK.UTF-8"), "sk");
    assert_string_equal(vl_text_language_of("fr_CA@euro"), "fr");
    assert_string_equal(vl_text_language_of("en"), "en");
    assert_null(vl_text_language_of(NULL));
    assert_null(vl_text_language_of(""));
    assert_null(vl_text_language_of("C"));
    assert_null(vl_text_language_of("skr"));
    assert_null(vl_text_language_of("s"));
    assert_null(vl_text_language_of("french"));
    assert_null(vl_text_language_of("fr/../es"));
}

static void an_unknown_wish_is_refused_and_english_is_in_force(void **state)
{
    (void)state;
    assert_int_equal(vl_text_start("sk", share), VL_OK);
    assert_int_equal(vl_text_start("klingon", share), VL_EINVAL);
    assert_speaks_english();
}

static void children_keep_their_own_locales_and_numbers_stay_in_c(void **state)
{
    char number[8];

    (void)state;
    assert_int_equal(vl_text_start("fr", share), VL_OK);
    assert_null(getenv("LOCPATH"));
    assert_null(getenv("LC_ALL"));
    assert_string_equal(getenv("LANGUAGE"), "fr");
    setenv("LOCPATH", "/their/own", 1);
    assert_int_equal(vl_text_start("sk", share), VL_OK);
    assert_string_equal(getenv("LOCPATH"), "/their/own");
    assert_string_equal(setlocale(LC_NUMERIC, NULL), "C");
    snprintf(number, sizeof number, "%.1f", 0.5);
    assert_string_equal(number, "0.5");
}

static void the_environment_may_name_another_folder_of_catalogues(void **state)
{
    char folder[256];

    (void)state;
    snprintf(folder, sizeof folder, "%s/locale", share);
    setenv("VIALATA_LOCALEDIR", folder, 1);
    assert_int_equal(vl_text_start("sk", share), VL_OK);
    assert_string_equal(_("Hello"), "Ahoj");
    setenv("VIALATA_LOCALEDIR", "/nowhere", 1);
    assert_int_equal(vl_text_start("sk", share), VL_OK);
    assert_string_equal(_("Hello"), "Hello");
}

static void without_any_folder_english_is_spoken(void **state)
{
    (void)state;
    assert_int_equal(vl_text_start("sk", "/nowhere"), VL_OK);
    assert_string_equal(_("Hello"), "Hello");
    assert_string_equal(VL_PGETTEXT("pipeline", "stage"), "stage");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(every_language_speaks_in_an_empty_environment_and_back,
                               environment_clear),
        cmocka_unit_test_setup(every_language_speaks_under_foreign_settings, environment_clear),
        cmocka_unit_test_setup(the_environment_chooses_in_gettext_order, environment_clear),
        cmocka_unit_test_setup(names_of_languages_are_understood, environment_clear),
        cmocka_unit_test_setup(an_unknown_wish_is_refused_and_english_is_in_force,
                               environment_clear),
        cmocka_unit_test_setup(children_keep_their_own_locales_and_numbers_stay_in_c,
                               environment_clear),
        cmocka_unit_test_setup(the_environment_may_name_another_folder_of_catalogues,
                               environment_clear),
        cmocka_unit_test_setup(without_any_folder_english_is_spoken, environment_clear),
    };
    return cmocka_run_group_tests(tests, share_make, share_remove);
}
