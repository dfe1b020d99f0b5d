/*
 * Handed in late: how many days, how many of them the student may be late, and what it costs.
 *
 * Days are begun days of 24 hours. The time is that of the entry that was handed in: of the archive
 * or, in a folder, of its newest file.
 */
#ifndef VIALATA_CLASS_BOOK_LATENESS_H
#define VIALATA_CLASS_BOOK_LATENESS_H

#include <stdbool.h>
#include <time.h>

struct vl_due {
    time_t at;      /* 0: nothing is due */
    double penalty; /* share of the points that each day beyond the late days costs */
};

struct vl_lateness {
    int days; /* 0: in time */
    int used; /* late days that they take */
    int allowed;
    int beyond;  /* days - used */
    double kept; /* share of the points that is left */
};

/* "2026-12-01T18:00", in the local time zone of whoever grades; a space may stand for the T. False
 * if it is no such time. */
bool vl_due_read(time_t *at, const char *text);

/* "2026-12-01 18:00 CET", to be told. Returns text. */
#define VL_DUE_TEXT 64
const char *vl_due_text(char text[VL_DUE_TEXT], time_t at);

/* handed_in 0: not known, so not late. */
struct vl_lateness vl_lateness_of(const struct vl_due *due, time_t handed_in, int late_days);

/* "late by 2 days; 2 of 3 late days used", in the language in force; "" if it was in time. The
 * caller frees it; NULL without memory. */
char *vl_lateness_text(const struct vl_lateness *lateness);

#endif
