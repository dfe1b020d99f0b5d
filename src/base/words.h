/*
 * A list of words that grows: a command line, an environment. Zero it to begin.
 */
#ifndef VIALATA_BASE_WORDS_H
#define VIALATA_BASE_WORDS_H

#include <stddef.h>

struct vl_words {
    char **list; /* NULL-terminated; NULL itself while it is empty */
    size_t count;
    int failed; /* there was no memory for one of them: check this once, at the end */
};

/* Add a word, as printf makes it. */
void vl_words_add(struct vl_words *words, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Add each of a list that NULL ends. */
void vl_words_add_all(struct vl_words *words, const char *const *list);

/* Free all of them; afterwards the list is empty. */
void vl_words_free(struct vl_words *words);

#endif
