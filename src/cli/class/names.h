/*
 * Results under pseudonyms. Who is who lies next to the results, not in them, so that the results can
 * be given to others:
 *
 *   RESULTS-names/names.csv   pseudonym, id, name (class/privacy/pseudonym.h)
 *   RESULTS-names/key         what pseudonyms are made with; not if it is the course's secret
 *
 * RESULTS/class.json has a number derived from the key: results never get pseudonyms of two keys, nor
 * names and pseudonyms.
 */
#ifndef VIALATA_CLI_CLASS_NAMES_H
#define VIALATA_CLI_CLASS_NAMES_H

#include "cli/class/batch.h"

/* RESULTS-names, with '/' and 'below' unless NULL; freed by the caller. */
char *vl_names_path(const char *results, const char *below);

/* Give all in the batch pseudonyms, if that is asked; refuse, with a sentence, what does not fit the
 * results that are there. */
enum vl_exit vl_names_apply(struct vl_batch *batch);

/* Are these results under pseudonyms? */
bool vl_names_are_hidden(const char *results);

#endif
