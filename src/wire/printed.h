/*
 * What a rank printed in a case, in the stream of all that it prints:
 *
 *   text of the case, \x1e, the case's number (its results'), \x1f, text of the next one ...
 *
 * A rank that stops in mid-case, or is asked where it is, puts VL_PRINTED_NO_CASE after what it has printed so far.
 * A case in which nothing was printed has no mark. Anybody may print a mark: it changes what is shown, no more.
 */
#ifndef VIALATA_WIRE_PRINTED_H
#define VIALATA_WIRE_PRINTED_H

#define VL_PRINTED_BEGIN '\x1e'
#define VL_PRINTED_END   '\x1f'

#define VL_PRINTED_NO_CASE 4294967295u

#endif
