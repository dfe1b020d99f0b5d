/*
 * The book, built by CMake in this build tree: as a site in all languages, or whole in one file in one language. An
 * installed tree builds nothing, and has at best what was built before.
 *
 *   share/book/sk/...             the site
 *   share/book/vialata-sk.epub    for a reading device; KaTeX makes its formulas, in Node.js
 *   share/book/vialata-sk.pdf     for paper; Chromium prints it
 */
#ifndef VIALATA_CLI_BOOK_BUILD_H
#define VIALATA_CLI_BOOK_BUILD_H

#include "cli/command.h"

enum vl_book_form { VL_BOOK_SITE, VL_BOOK_EPUB, VL_BOOK_PDF };

/* Build it, if this tree builds, and say what goes wrong. *path is the first page, or the file, in the language in
 * force (a site may fall back to English), fresh; NULL if there is none, which has been said. */
enum vl_exit vl_book_make(char **path, enum vl_book_form form);

/* Run a program and wait for it; its own output goes to 'out' (a descriptor). Its exit status, or -1. */
int vl_book_call(const char *const *words, int out);

#endif
