/* open: user */
#include <fcntl.h>

static int reads_a_process(void)
{
    int file = open("/proc/@PID@/environ", O_RDONLY);
    char byte;
    return file >= 0 && read(file, &byte, 1) >= 0;
}
