/*
 * A kit: a zip with which a learning platform grades labs by itself. It holds the scripts that the
 * platform starts (src/class/handout/platforms/), what to grade and how (settings.sh), and the course's
 * sources, since the platform's machines build it for themselves.
 *
 *   gradescope        setup.sh  run_autograder  course/
 *   autolab           autograde-Makefile  autograde.tar          image/ (a Dockerfile and course/)
 *   prairielearn      questions/LAB/ (info.json, question.html, tests/)             image/
 *   github-classroom  .github/ (a workflow, which fetches the course)
 */
#ifndef VIALATA_CLASS_HANDOUT_KIT_H
#define VIALATA_CLASS_HANDOUT_KIT_H

#include "grade/catalogue/lab.h"
#include "vialata/status.h"
#include <stdbool.h>
#include <stdio.h>

enum vl_platform {
    VL_PLATFORM_GRADESCOPE,
    VL_PLATFORM_AUTOLAB,
    VL_PLATFORM_PRAIRIELEARN,
    VL_PLATFORM_GITHUB_CLASSROOM,
    VL_PLATFORMS
};

struct vl_kit {
    enum vl_platform platform;
    const char *root; /* the course's sources */
    const struct vl_lab **labs;
    size_t lab_count;
    const char *language; /* of what students read */
    const char *image;    /* what the image is called; NULL where there is none */
    bool no_speed;
    unsigned budget;    /* seconds for a lab; 0: the grader's own */
    const char *secret; /* its bytes, or NULL */
    size_t secret_bytes;
    const char *student; /* with a secret: the name that everybody starts with */
};

/* "gradescope" ..., as written after `vialata platform`. */
const char *vl_platform_name(enum vl_platform platform);

/* VL_EINVAL for an unknown name. */
enum vl_status vl_platform_find(enum vl_platform *platform, const char *name);

/* Does the course have its sources here, as a kit needs them? An installed one does not. */
bool vl_kit_has_sources(const char *root);

/* VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_kit_write(const struct vl_kit *kit, FILE *stream);

/* ---- kit_question.c: PrairieLearn's question for one lab; freed by the caller, NULL without
 * memory ---- */

/* info.json; the same identifier every time, so that the question stays the same one. */
char *vl_kit_question_info(const struct vl_kit *kit, const struct vl_lab *lab);

/* question.html, which takes the lab's files. */
char *vl_kit_question_page(const struct vl_lab *lab);

#endif
