#include "grade/mutants/site.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void vl_site_add(const struct vl_site *site, enum vl_mutation_kind kind, size_t first, size_t last,
                 const char *format, ...)
{
    char *text = NULL;
    va_list values;
    va_start(values, format);
    if (vasprintf(&text, format, values) < 0)
        text = NULL;
    va_end(values);
    vl_mutations_add(site->mutations, kind, first, last, text);
    free(text);
}

bool vl_site_is(const struct vl_site *site, size_t i, const char *word)
{
    return i >= site->first && i < site->last && vl_token_is(site->tokens, i, word);
}

bool vl_site_is_any(const struct vl_site *site, size_t i, const char *const *words)
{
    return i >= site->first && i < site->last && vl_token_is_any(site->tokens, i, words);
}

size_t vl_site_partner(const struct vl_site *site, size_t i)
{
    return site->tokens->list[i].partner;
}

bool vl_site_is_binary(const struct vl_site *site, size_t i)
{
    return i > site->first && vl_scope_has_operand(site->tokens, i);
}
