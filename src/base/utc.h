/*
 * Moments, as files for machines have them: ISO 8601 in universal time, "2026-11-23T15:12:42Z".
 */
#ifndef VIALATA_BASE_UTC_H
#define VIALATA_BASE_UTC_H

#include <time.h>

/* The text of a moment, freed by the caller; NULL without memory. */
char *vl_time_text(time_t moment);

#endif
