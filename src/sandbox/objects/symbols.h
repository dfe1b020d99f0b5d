/*
 * The names in an object file: what it defines, how large its variables are, and what it takes from
 * elsewhere.
 *
 * nm reads it, in the sandbox, since an object comes from a submission.
 */
#ifndef VIALATA_SANDBOX_OBJECTS_SYMBOLS_H
#define VIALATA_SANDBOX_OBJECTS_SYMBOLS_H

#include "sandbox/sandbox.h"
#include "vialata/status.h"

#include <stdbool.h>
#include <stdint.h>

#define VL_SYMBOLS_BYTES ((size_t)4 << 20) /* of nm's words on one object; some 80,000 names */

/* *symbols is one line per name, "\nvl_rmsnorm_forward T 0 1a\n..." (name, kind, place, size), and
 * the caller's; NULL if nm failed, or had more to say than VL_SYMBOLS_BYTES. VL_ELACK without nm,
 * VL_EIO, VL_ENOMEM. */
enum vl_status vl_symbols_read(char **symbols, const char *object,
                               const struct vl_sandbox *sandbox);

/* The same for several objects, symbols[i] of objects[i], with one start of nm. The caller frees each. */
enum vl_status vl_symbols_read_all(char **symbols, const char *const *objects, size_t count,
                                   const struct vl_sandbox *sandbox);

/* Is there a global function of this name? Any global name? */
bool vl_symbols_have_function(const char *symbols, const char *function);
bool vl_symbols_have(const char *symbols, const char *name);

/* Bytes of all variables outside functions, static ones too. */
uint64_t vl_symbols_variable_bytes(const char *symbols);

/* Is there a variable outside functions that code may change? A table of addresses counts even if it
 * is const, since the loader writes it. */
bool vl_symbols_have_variable(const char *symbols);

/* What one line says. */
struct vl_symbol {
    const char *name; /* not ended by a zero byte */
    int length;
    char kind;   /* nm's letter; 0 if the line is not about a symbol */
    bool global; /* defined here, and other objects see it */
    bool wanted; /* to be found elsewhere */
    uint64_t bytes;
};

/* Read a line; returns the next one, or NULL after the last. */
const char *vl_symbols_next(struct vl_symbol *symbol, const char *line);

#endif
