/*
 * The tokens of a piece of C: what is left of it without comments, blanks and preprocessor lines.
 *
 *   y[i] += x[i + 1];     y [ i ] += x [ i + 1 ] ;
 */
#ifndef VIALATA_GRADE_MUTANTS_TOKENS_H
#define VIALATA_GRADE_MUTANTS_TOKENS_H

#include "vialata/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum vl_token_kind { VL_TOKEN_NAME, VL_TOKEN_NUMBER, VL_TOKEN_TEXT, VL_TOKEN_MARK };

struct vl_token {
    enum vl_token_kind kind;
    const char *at; /* in the text that was read */
    size_t length;
    size_t partner; /* of a bracket: the other one of its pair; else 0 */
};

struct vl_tokens {
    struct vl_token *list;
    size_t count;
};

/* Read those from 'text' up to 'end', which must outlive them. VL_EFORMAT if brackets do not match;
 * VL_ENOMEM. Free them in any case. */
enum vl_status vl_tokens_read(struct vl_tokens *tokens, const char *text, const char *end);
void vl_tokens_free(struct vl_tokens *tokens);

/* Is token i this word or mark? False beyond the last one. */
bool vl_token_is(const struct vl_tokens *tokens, size_t i, const char *word);

/* Is it any of these, a list that NULL ends? */
bool vl_token_is_any(const struct vl_tokens *tokens, size_t i, const char *const *words);

bool vl_token_is_name(const struct vl_tokens *tokens, size_t i);
bool vl_tokens_same(const struct vl_tokens *tokens, size_t i, size_t k);

/* Write those from 'first' up to before 'last', with a blank after each. */
void vl_tokens_put(FILE *out, const struct vl_tokens *tokens, size_t first, size_t last);

#endif
