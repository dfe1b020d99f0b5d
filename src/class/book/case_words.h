/*
 * Cases as a person names them: "rmsnorm_forward.odd", or a function for all of its cases:
 * "vl_rmsnorm_forward" or "rmsnorm_forward".
 */
#ifndef VIALATA_CLASS_BOOK_CASE_WORDS_H
#define VIALATA_CLASS_BOOK_CASE_WORDS_H

#include "base/words.h"
#include "grade/catalogue/lab.h"
#include <stdbool.h>

/* Does the word mean a case with this id, of this function? */
bool vl_case_word_means(const char *word, const char *id, const char *function);

/* Does it mean a case of the lab? */
bool vl_case_word_is_known(const char *word, const struct vl_lab *lab);

/* "a,b" into its words; look at words->failed. */
void vl_case_words_split(struct vl_words *words, const char *list);

#endif
