#include "sandbox/objects/symbols.h"

#include "base/file.h"
#include "base/words.h"
#include "sandbox/process.h"

#include <ctype.h>
#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OBJECT_BYTES ((size_t)64 << 20) /* the compiler writes no larger one */

/* The letters are explained in nm(1). */
static const char functions[] = "TWi"; /* weak ones and ifuncs too */
static const char variables[] = "BCDEGINPRSVbcdegnprsu";
static const char changing[] = "BCDGSVbcdgsu";
static const char wanted[] = "Uvw";

/* A section's name (".pdata") may choose the letter, so every capital one counts, and so does '?',
 * what nm does not know. */
static bool is_global(char kind)
{
    return (isupper((unsigned char)kind) && kind != 'U') || strchr("iu?", kind) != NULL;
}

/* With a second table of symbols, nm and the linker take one that the assembler did not make: names
 * of kinds that nm does not show, and the linker does use. */
static bool has_one_table(const char *bytes, size_t count)
{
    Elf64_Ehdr head;
    Elf64_Shdr section;
    size_t tables = 0;
    if (count < sizeof head)
        return false;
    memcpy(&head, bytes, sizeof head);
    if (head.e_shentsize != sizeof section || head.e_shoff > count ||
        head.e_shnum > (count - head.e_shoff) / sizeof section)
        return false;
    for (size_t i = 0; i < head.e_shnum; i++) {
        memcpy(&section, bytes + head.e_shoff + i * sizeof section, sizeof section);
        tables += section.sh_type == SHT_SYMTAB;
    }
    return tables == 1;
}

static bool is_plain(const char *object)
{
    char *bytes;
    size_t count;
    bool plain = vl_file_read(&bytes, &count, object, OBJECT_BYTES) == VL_OK;
    if (plain) {
        plain = has_one_table(bytes, count);
        free(bytes);
    }
    return plain;
}

/* All that nm says about these objects; *words is the caller's, and NULL if nm failed or had more to
 * say than was kept. */
static enum vl_status run_nm(char **words, const char *const *objects, size_t count,
                             const struct vl_sandbox *sandbox)
{
    /* Left to itself, nm shows the names in sections of a link-time optimizer, if there are any,
     * but the linker takes the ordinary code, which may have others. */
    static const char *const start[] = {"nm", "--target=default", "-P", NULL};
    static const char *const nothing[] = {NULL};
    static const struct vl_limits limits = {.seconds = 20,
                                            .memory = (size_t)2 << 30,
                                            .file_size = (size_t)1 << 20,
                                            .processes = 64,
                                            .nice = 5, /* somebody may be timed meanwhile */
                                            .sees = nothing,
                                            .output = VL_SYMBOLS_BYTES};
    struct vl_words command = {0};
    struct vl_process nm = {.pipe = -1};
    *words = NULL;
    vl_words_add_all(&command, start);
    for (size_t i = 0; i < count; i++)
        vl_words_add(&command, "%s", objects[i]);
    enum vl_status status =
        command.failed ? VL_ENOMEM : vl_process_run(&nm, sandbox, NULL, command.list, &limits);
    if (status == VL_OK && nm.exit == 0 && nm.printed == nm.kept &&
        asprintf(words, "\n%s", nm.words) < 0) {
        *words = NULL;
        status = VL_ENOMEM;
    }
    vl_process_free(&nm);
    vl_words_free(&command);
    return status;
}

enum vl_status vl_symbols_read(char **symbols, const char *object, const struct vl_sandbox *sandbox)
{
    enum vl_status status = run_nm(symbols, &object, 1, sandbox);
    if (*symbols != NULL && !is_plain(object)) {
        free(*symbols);
        *symbols = NULL;
    }
    return status;
}

/* The line "object:" that nm puts before what it says about one of several; NULL if there is none. */
static char *find_heading(const char *words, const char *object)
{
    char *line = NULL, *at = asprintf(&line, "\n%s:\n", object) >= 0 ? strstr(words, line) : NULL;
    free(line);
    return at;
}

/*
 * Cut what nm said at its headings. A name in an object may look like a heading, with line ends in it:
 * each must be there once, and they must come in order. False if they do not, or without memory.
 */
static bool cut(char **symbols, const char *words, const char *const *objects, size_t count)
{
    const char *at = words;
    for (size_t i = 0; i < count; i++) {
        const char *own = find_heading(words, objects[i]);
        const char *next =
            i + 1 < count ? find_heading(words, objects[i + 1]) : strchr(words, '\0');
        if (own == NULL || next == NULL || own != at || next <= own ||
            find_heading(own + 1, objects[i]) != NULL)
            return false;
        own += strlen(objects[i]) + 2; /* to the end of the heading's line */
        if (!is_plain(objects[i]))
            symbols[i] = NULL;
        else if ((symbols[i] = strndup(own, (size_t)(next - own) + (i + 1 < count))) == NULL)
            return false;
        at = next;
    }
    return true;
}

static void forget(char **symbols, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(symbols[i]);
        symbols[i] = NULL;
    }
}

enum vl_status vl_symbols_read_all(char **symbols, const char *const *objects, size_t count,
                                   const struct vl_sandbox *sandbox)
{
    char *words = NULL;
    enum vl_status status = VL_OK;
    memset(symbols, 0, count * sizeof *symbols);
    if (count > 1)
        status = run_nm(&words, objects, count, sandbox);
    bool done = words != NULL && cut(symbols, words, objects, count);
    free(words);
    if (done)
        return status;
    forget(symbols,
           count); /* one by one, so that an object that nm cannot read costs only itself */
    for (size_t i = 0; i < count && status == VL_OK; i++)
        status = vl_symbols_read(&symbols[i], objects[i], sandbox);
    return status;
}

static bool is_function(char kind)
{
    return strchr(functions, kind) != NULL;
}

static bool have(const char *symbols, const char *name, bool (*is_kind)(char kind))
{
    char line[160];
    size_t length = (size_t)snprintf(line, sizeof line, "\n%s ", name);
    const char *at = symbols;
    while (at != NULL && (at = strstr(at, line)) != NULL) {
        at += length;
        if (*at != '\0' && is_kind(*at))
            return true;
    }
    return false;
}

bool vl_symbols_have_function(const char *symbols, const char *function)
{
    return have(symbols, function, is_function);
}

bool vl_symbols_have(const char *symbols, const char *name)
{
    return have(symbols, name, is_global);
}

/* The hexadecimal number after the blank at 'at', 0 if there is none; *end is just after it. */
static uint64_t number(const char **end, const char *at)
{
    char *behind = (char *)at;
    uint64_t value = 0;
    if (*at == ' ' && isxdigit((unsigned char)at[1]))
        value = strtoull(at + 1, &behind, 16);
    *end = behind;
    return value;
}

const char *vl_symbols_next(struct vl_symbol *symbol, const char *line)
{
    size_t length = strcspn(line, " \n");
    const char *at = line + length, *end = strchr(at, '\n');
    *symbol = (struct vl_symbol){.name = line, .length = (int)length};
    if (*at == ' ' && at[1] != '\0' && at[1] != '\n') {
        symbol->kind = at[1];
        symbol->global = is_global(at[1]);
        symbol->wanted = strchr(wanted, at[1]) != NULL;
        (void)number(&at, at + 2); /* its place */
        symbol->bytes = number(&at, at);
    }
    return end != NULL ? end + 1 : NULL;
}

uint64_t vl_symbols_variable_bytes(const char *symbols)
{
    uint64_t all = 0;
    struct vl_symbol symbol;
    for (const char *line = symbols; line != NULL;) {
        line = vl_symbols_next(&symbol, line);
        if (symbol.kind == '\0' || strchr(variables, symbol.kind) == NULL)
            continue;
        /* An object may claim any size, and the sum must not wrap around. */
        all = symbol.bytes < UINT64_MAX - all ? all + symbol.bytes : UINT64_MAX;
    }
    return all;
}

bool vl_symbols_have_variable(const char *symbols)
{
    struct vl_symbol symbol;
    for (const char *line = symbols; line != NULL;) {
        line = vl_symbols_next(&symbol, line);
        if (symbol.kind != '\0' && strchr(changing, symbol.kind) != NULL)
            return true;
    }
    return false;
}
