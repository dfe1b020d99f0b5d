/*
 * A case of the clinic: a small broken program, and what is known about it.
 *
 *   labs/clinic/NN_slug.c        the program, as a student gets it
 *   src/clinic/cases/NN_slug.c   this: what it should do, which ranks, which line, which cause, and the repair
 *
 * CMake finds both by their names. Places are quoted from the program, so a line may move.
 */
#ifndef VIALATA_CLINIC_CASE_H
#define VIALATA_CLINIC_CASE_H

#include "clinic/cause.h"

#include <stddef.h>
#include <stdint.h>

#define VL_CLINIC_ALL     UINT32_MAX /* every rank does it */
#define VL_CLINIC_RANK(r) (1u << (r))
#define VL_CLINIC_RUNS    4 /* in the test of a repair, at most */
#define VL_CLINIC_PLACES  3
#define VL_CLINIC_HINTS   2
#define VL_CLINIC_REPAIRS 6

/* How the broken program shows itself when it runs on 'ranks' ranks. */
enum vl_symptom {
    VL_SYMPTOM_STANDSTILL, /* it never ends */
    VL_SYMPTOM_NUMBERS,    /* what it prints is wrong */
    VL_SYMPTOM_ERROR,      /* MPI ends it */
    VL_SYMPTOM_LEFT        /* its numbers are right, but it leaves something undone */
};

struct vl_clinic_repair {
    const char *broken, *right; /* 'broken' is in the program exactly once */
};

struct vl_clinic_case {
    int number;        /* 1 to 30 */
    const char *slug;  /* of the file; says what the program does, never what is wrong */
    const char *title; /* N_(), a few words */
    const char *story; /* N_(): what the program should do, and what somebody noticed about it */
    int ranks;         /* that show it; the diagnosis is about these */
    int runs[VL_CLINIC_RUNS]; /* ranks on which a repaired program is tested; 'ranks' among them */
    enum vl_symptom symptom;
    /* The diagnosis. */
    uint32_t who; /* the ranks that do it, a bit each, or VL_CLINIC_ALL */
    const char
        *places[VL_CLINIC_PLACES]; /* pieces of the lines that may be named; each is there once */
    enum vl_cause cause;
    enum vl_cause close;                /* another that earns half; VL_CAUSE_NONE: none does */
    const char *hints[VL_CLINIC_HINTS]; /* N_(): a question, then a direction */
    const char *explained;              /* N_(): what happens, and why the repair helps */
    struct vl_clinic_repair repairs[VL_CLINIC_REPAIRS]; /* one way to repair it; NULL ends them */
};

/* In the order of their numbers; NULL ends them. Made by src/clinic/cases.cmake. */
extern const struct vl_clinic_case *const vl_clinic_cases[];
extern const size_t vl_clinic_count;

/* NULL if there is no such number. */
const struct vl_clinic_case *vl_clinic_case(int number);

#endif
