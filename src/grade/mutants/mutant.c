#include "grade/mutants/mutant.h"

#include "grade/mutants/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define PIECE_MOST 48 /* characters */

static size_t line_of(const char *file, const char *end)
{
    size_t line = 1;
    for (const char *at = file; at < end; at++)
        line += *at == '\n';
    return line;
}

/* Tokens as they are written, on one line. Nothing that steers a terminal gets through. */
static char *piece_of(const struct vl_tokens *tokens, size_t first, size_t last)
{
    if (last <= first)
        return strdup("");
    const struct vl_token *list = tokens->list;
    const char *end = list[last - 1].at + list[last - 1].length;
    char piece[PIECE_MOST + 1] = "";
    size_t length = 0;
    for (const char *at = list[first].at; at < end; at++) {
        const bool blank = isspace((unsigned char)*at) != 0;
        const bool plain = blank || (*at > ' ' && *at <= '~' && *at != '`');
        if (!plain || length == PIECE_MOST)
            return strdup("");
        if (!blank || piece[length - 1] != ' ')
            piece[length++] = blank ? ' ' : *at;
    }
    piece[length] = '\0';
    return strdup(piece);
}

struct vl_mutant vl_mutant_of(const struct vl_tokens *tokens, const struct vl_scope *scope,
                              const char *file, const struct vl_mutation *m, size_t first,
                              size_t last)
{
    const bool own = m->last > m->first;
    const size_t from = own ? m->first : first, to = own ? m->last : last;
    struct vl_mutant mutant = {.kind = m->kind,
                               .line = line_of(file, tokens->list[from].at),
                               .piece = piece_of(tokens, from, to)};
    if (m->kind == VL_MUTATION_TERM)
        mutant.names = vl_origin_names(tokens, scope, m->first, m->last);
    mutant.missing = mutant.names != NULL && mutant.names[0] != '\0';
    if (!mutant.missing) {
        free(mutant.names);
        mutant.names = vl_statement_names(tokens, scope, first, last);
    }
    return mutant;
}

void vl_mutant_free(struct vl_mutant *mutant)
{
    free(mutant->names);
    free(mutant->piece);
    *mutant = (struct vl_mutant){0};
}
