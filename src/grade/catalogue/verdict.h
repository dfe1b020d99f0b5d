/*
 * A verdict: everything that grading one submission of one lab found. One model, many reports.
 *
 * 'code' is a stable English identifier; 'message' is a sentence in the user's language. Strings
 * are owned by the verdict. JSON schema "vialata.verdict/1" mirrors these structures field by
 * field, without is_workspace, is_mistake and asan.
 */
#ifndef VIALATA_GRADE_CATALOGUE_VERDICT_H
#define VIALATA_GRADE_CATALOGUE_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum vl_case_status {
    VL_CASE_PASSED,
    VL_CASE_FAILED,
    VL_CASE_NOT_STARTED,
    VL_CASE_CRASHED,
    VL_CASE_HUNG,
    VL_CASE_SKIPPED,
    VL_CASE_ERROR
};

enum vl_case_group {
    VL_GROUP_NUMERICS,
    VL_GROUP_COMMUNICATION,
    VL_GROUP_MEMORY,
    VL_GROUP_THROUGHPUT,
    VL_GROUP_PREDICTION,
    VL_GROUP_BONUS /* worth no points: all of them can be had without it */
};

enum vl_verdict_status {
    VL_VERDICT_PASSED,
    VL_VERDICT_PARTIAL,
    VL_VERDICT_FAILED,
    VL_VERDICT_NOT_STARTED,
    VL_VERDICT_ERROR
};

struct vl_case_result {
    char *id;       /* "rmsnorm_forward.odd" */
    char *function; /* "vl_rmsnorm_forward" */
    enum vl_case_group group;
    int ranks;
    enum vl_case_status status;
    double points;
    double max_points;
    char *code;    /* NULL when passed */
    char *message; /* NULL when there is nothing to say */
    char *detail;  /* more lines: compiler's or program's own words; NULL if none */
    char *shown; /* tables of numbers (judge/exhibit.h), only where they are asked for; else NULL */
    char *replaced;  /* what was the reference's (run/instead/rejudge.h); NULL: nothing */
    double measured; /* NAN where there is none */
    double bound;    /* NAN where there is none */
    double seconds;
};

struct vl_throughput_summary {
    double ratio_median; /* speed over the reference's, median of the timed functions; or NAN */
    int pairs;
    double spread; /* the largest of the functions' (see job/throughput.h) */
    int stable;
};

/* How the submission was kept apart from this machine (sandbox/isolation.h). */
enum vl_isolation {
    VL_ISOLATION_NONE,   /* nothing has been compiled or run */
    VL_ISOLATION_STRONG, /* behind the wall */
    VL_ISOLATION_USER,   /* weak: under a user of its own */
    VL_ISOLATION_LIMITS  /* weak: under the name of whoever grades */
};

struct vl_verdict {
    const char *version;
    const char *commit;
    char *machine; /* processor and cores */
    char *flags;   /* compiler flags of the submission */
    int lab;       /* 1..10 */
    const char *slug;
    char *submission;      /* path, or "reference" */
    char *submission_hash; /* of its files (build/manifest.h); NULL: none was built */
    char *graded_at;       /* when grading began: vl_time_text */
    int is_workspace;      /* the submission is the folder that is graded by default */
    int is_mistake;        /* ... is the reference with this mistake in it */
    int asan;              /* ... ran under AddressSanitizer */
    uint64_t seed;
    bool secret;   /* ... is secret, and never told */
    char *student; /* whose shapes the prediction has; NULL: the usual ones */
    const char *language;
    enum vl_isolation isolation;
    int bytes_compared; /* those between ranks, with the kernel's count: 1 yes, 0 no, -1 there are none */
    enum vl_verdict_status status;
    double score;
    double max_score;
    struct vl_case_result *cases;
    size_t case_count;
    struct vl_throughput_summary throughput;
    char *message;  /* why status is error, or NULL */
    char *compiler; /* the compiler's own words (warnings or errors), or NULL */
};

/* Append a result (strings are copied). Returns the stored one, or NULL without memory. */
struct vl_case_result *vl_verdict_add(struct vl_verdict *verdict,
                                      const struct vl_case_result *result);

/* Work out status and score from the cases; throughput from its cases. */
void vl_verdict_close(struct vl_verdict *verdict);

void vl_verdict_free(struct vl_verdict *verdict);

/* The identifiers used in JSON: "passed", "numerics", "not_started" ... */
const char *vl_case_status_code(enum vl_case_status status);
const char *vl_case_group_code(enum vl_case_group group);
const char *vl_verdict_status_code(enum vl_verdict_status status);
const char *vl_isolation_code(enum vl_isolation isolation); /* "strong", "weak", or NULL */

/* The exit status of the program: 0 for a full score, 1 for less, 4 without a verdict. */
int vl_verdict_exit(const struct vl_verdict *verdict);

#endif
