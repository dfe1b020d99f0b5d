/*
 * Where the inputs of a grading come from: a seed, and the student whose shapes predictions ask
 * about (shapes.h).
 *
 *   public seed     the inputs of every case follow from it, as maker.h says
 *   secret seed     from HMAC(secret, lab and student). Each case and each timing has a seed of its
 *                   own, derived in one direction, so that inputs do not reveal the next ones
 */
#ifndef VIALATA_GRADE_CATALOGUE_ORIGIN_H
#define VIALATA_GRADE_CATALOGUE_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vl_origin {
    uint64_t seed;
    bool secret;
    const char *student; /* NULL: the usual shapes */
};

/* The secret seed of a student's submission of a lab ("training_step"). */
uint64_t vl_secret_seed(const void *secret, size_t n, const char *lab, const char *student);

/* The seed of a case or a timing, by its id. */
uint64_t vl_origin_seed(const struct vl_origin *origin, const char *id);

/* Number 'index' of the seeds that follow from one; none of them tells another, or that one. */
uint64_t vl_seed_of(uint64_t seed, uint64_t index);

#endif
