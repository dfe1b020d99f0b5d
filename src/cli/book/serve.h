/*
 * The site at an address of this computer, for browsers that refuse to open files. Nobody else sees it: 127.0.0.1.
 */
#ifndef VIALATA_CLI_BOOK_SERVE_H
#define VIALATA_CLI_BOOK_SERVE_H

#include "cli/command.h"

/* Say where the page is, and show it until Ctrl-C. */
enum vl_exit vl_book_serve(const char *page);

#endif
