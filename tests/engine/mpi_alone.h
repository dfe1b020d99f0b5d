/* For a test that is one process and whose code under test speaks MPI with itself. */
#ifndef VIALATA_TESTS_ENGINE_MPI_ALONE_H
#define VIALATA_TESTS_ENGINE_MPI_ALONE_H

#include <mpi.h>

/* Open MPI keeps what it takes while it begins, and unloads its plug-ins while it ends: then what
 * they leave has no library's name by which it could be told from ours. So a search for leaks does
 * not count the beginning, and comes before the end. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#else
#define __lsan_disable()       ((void)0)
#define __lsan_enable()        ((void)0)
#define __lsan_do_leak_check() ((void)0)
#endif

static inline void begin_mpi(void)
{
    __lsan_disable();
    MPI_Init(NULL, NULL);
    __lsan_enable();
}

static inline void end_mpi(void)
{
    __lsan_do_leak_check();
    MPI_Finalize();
}

#endif
