/*
 * Under AddressSanitizer, programs on ranks are linked with --wrap=MPI_Init,--wrap=MPI_Finalize.
 * What Open MPI allocates while it starts is ignored. Leaks are searched for just before it ends:
 * afterwards its modules are unloaded, and their leaks, which tests/lsan.supp names, could no
 * longer be told from ours.
 */
#include <mpi.h>
#include <sanitizer/lsan_interface.h>

int __real_MPI_Init(int *count, char ***words);
int __wrap_MPI_Init(int *count, char ***words);
int __wrap_MPI_Init(int *count, char ***words)
{
    __lsan_disable();
    int code = __real_MPI_Init(count, words);
    __lsan_enable();
    return code;
}

int __real_MPI_Finalize(void);
int __wrap_MPI_Finalize(void);
int __wrap_MPI_Finalize(void)
{
    __lsan_do_leak_check(); /* the only time: ends the program if there is a leak */
    return __real_MPI_Finalize();
}
