/*
 * What `vialata mpi` and a program that it watches have in common, besides the boards (board.h): the
 * folder in which each rank finds its board and, if a timeline is wanted, a file for its spans (spans.h), and says which files
 * its code came from.
 *
 *   modules.RANK   a line for each piece of code: begin end bias path
 *                  (hexadecimal; address - bias is what the file itself calls that place)
 */
#ifndef VIALATA_WIRE_WATCHED_H
#define VIALATA_WIRE_WATCHED_H

#define VL_WATCHED_FOLDER  "VIALATA_WATCHED"        /* in the environment: the folder */
#define VL_WATCHED_STRICT  "VIALATA_WATCHED_STRICT" /* set: buffers are looked at, too */
#define VL_WATCHED_MODULES "modules.%d"

#endif
