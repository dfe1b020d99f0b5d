/*
 * Fortran: calls with which something begins that is not watched. Most of them take text, whose lengths are hidden
 * arguments at the end. So they are handed to Open MPI's own entry as they came, which calls C past the wrappers.
 */
#include "comm/beacon.h"
#include "comm/preload/fortran.h"

/* The entry of MPI's call 'name'. Open MPI's own is not there if the program is in C: then nobody calls this one. */
#define ENTRY(name, kind, parameters, arguments)                                                   \
    extern __attribute__((weak)) void pmpi_##name##_ parameters;                                   \
    VL_ENTRY_NAME(name, , ) parameters;                                                            \
    VL_ENTRY_NAME(name, _, VL_ENTRY_SAME(name)) parameters;                                        \
    VL_ENTRY_NAME(name, f08_, VL_ENTRY_SAME(name)) parameters;                                     \
    void mpi_##name##_ parameters                                                                  \
    {                                                                                              \
        vl_beacon_note_unwatched(kind);                                                            \
        pmpi_##name##_ arguments;                                                                  \
    }

typedef const char *text;

ENTRY(comm_spawn, VL_UNWATCHED_SPAWN,
      (text command, text words, vl_in most, vl_in info, vl_in root, vl_in comm, vl_out handle,
       vl_out errors, vl_out error, size_t command_length, size_t word_length),
      (command, words, most, info, root, comm, handle, errors, error, command_length, word_length))
ENTRY(comm_spawn_multiple, VL_UNWATCHED_SPAWN,
      (vl_in count, text commands, text words, vl_in most, vl_in infos, vl_in root, vl_in comm,
       vl_out handle, vl_out errors, vl_out error, size_t command_length, size_t word_length),
      (count, commands, words, most, infos, root, comm, handle, errors, error, command_length,
       word_length))
ENTRY(comm_accept, VL_UNWATCHED_SPAWN,
      (text port, vl_in info, vl_in root, vl_in comm, vl_out handle, vl_out error, size_t length),
      (port, info, root, comm, handle, error, length))
ENTRY(comm_connect, VL_UNWATCHED_SPAWN,
      (text port, vl_in info, vl_in root, vl_in comm, vl_out handle, vl_out error, size_t length),
      (port, info, root, comm, handle, error, length))
ENTRY(comm_join, VL_UNWATCHED_SPAWN, (vl_in socket, vl_out handle, vl_out error),
      (socket, handle, error))
ENTRY(file_open, VL_UNWATCHED_FILES,
      (vl_in comm, text name, vl_in mode, vl_in info, vl_out handle, vl_out error, size_t length),
      (comm, name, mode, info, handle, error, length))
