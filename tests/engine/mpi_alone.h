/* For a test that is one process, and tests code that sends MPI messages to itself. */
#ifndef VIALATA_TESTS_ENGINE_MPI_ALONE_H
#define VIALATA_TESTS_ENGINE_MPI_ALONE_H

#include <mpi.h>

/* Open MPI keeps what it allocates in MPI_Init, and unloads its plug-ins in MPI_Finalize: after
 * that their leaks no longer carry a library's name, and could not be told from ours. So
 * allocations of MPI_Init are ignored, and leaks are searched for before MPI_Finalize. */
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
