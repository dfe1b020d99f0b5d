/*
 * What a tool of this machine prints: addr2line, ldd.
 */
#ifndef VIALATA_CLI_MPI_TOOL_OUTPUT_H
#define VIALATA_CLI_MPI_TOOL_OUTPUT_H

/* Run words[0], found in PATH, and return all that it printed on standard output, fresh; its errors are nobody's.
 * "" if it printed nothing; NULL if it could not be started, or without memory. */
char *vl_tool_output(char *const words[]);

#endif
