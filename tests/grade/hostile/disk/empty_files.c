/* code: too_much_memory */
#include "../attack.h"

#include <sys/statvfs.h>

/* Half a gigabyte that the kernel keeps of files without bytes. */
ATTACK
{
    struct statvfs folder;
    char name[256];
    memset(name, 'x', sizeof name);
    name[250] = '\0';
    statvfs("/tmp", &folder);
    (void)!chdir("/tmp");
    for (unsigned i = 0; i < 400000 && i < folder.f_favail; i++) {
        snprintf(name, 9, "%08u", i);
        name[8] = 'x';
        if (mknod(name, S_IFREG | 0600, 0) != 0)
            break;
    }
    ANSWER;
    return VL_OK;
}
