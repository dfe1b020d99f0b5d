/*
 * The status that a function of the library returns.
 *
 * A lab function that nobody has written yet returns VL_TODO: the grader then says
 * "not started" and never "wrong". Errors are values; only a main prints and exits.
 */
#ifndef VIALATA_STATUS_H
#define VIALATA_STATUS_H

enum vl_status {
    VL_OK = 0,
    VL_TODO,     /* the skeleton's answer: this function is still to be written */
    VL_EMISSING, /* no such function in the submission (it did not compile, or was removed) */
    VL_EINVAL,   /* an argument outside the contract */
    VL_ENOMEM,   /* no memory left */
    VL_EIO,      /* a file could not be read or written; errno says why */
    VL_EFORMAT,  /* a file was read, but is not what it should be */
    VL_ESHAPE,   /* shapes that do not fit together */
    VL_ELACK,    /* this machine lacks something */
    VL_EINTERNAL /* a bug in vialata itself */
};

/* One sentence for a status, in the user's language (serial; never NULL; not to be freed). */
const char *vl_status_text(enum vl_status status);

/* The stable English identifier of a status ("todo", "no_memory" ...), for machines. */
const char *vl_status_code(enum vl_status status);

/* Its name in this header ("VL_ENOMEM"), for whoever reads or writes code. */
const char *vl_status_name(enum vl_status status);

#endif
