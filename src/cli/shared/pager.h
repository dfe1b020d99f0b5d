/*
 * Show a long text: in the person's pager on a terminal, straight to standard output elsewhere.
 */
#ifndef VIALATA_CLI_SHARED_PAGER_H
#define VIALATA_CLI_SHARED_PAGER_H

void vl_pager_show(const char *text);

#endif
