/* open: root user */
#include <dirent.h>

static int lists_a_folder(void)
{
    DIR *folder = opendir("@OPEN@");
    int listed = folder != NULL;
    if (listed)
        closedir(folder);
    return listed;
}
