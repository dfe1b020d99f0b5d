#include "comm/preload/own_code.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "/home/ada/solver/": where the program lies; empty if that cannot be found out. */
static const char *own_folder(void)
{
    static char folder[PATH_MAX];
    if (folder[0] != '\0')
        return folder;
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    folder[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash != NULL)
        slash[1] = '\0';
    return folder;
}

/* The program itself has no name in the list of the loader. */
static bool is_own_module(const struct link_map *module)
{
    const char *folder = own_folder();
    char path[PATH_MAX];
    if (module->l_name[0] == '\0')
        return true;
    return folder[0] != '\0' && realpath(module->l_name, path) != NULL &&
           strncmp(path, folder, strlen(folder)) == 0;
}

bool vl_is_own_code(const void *address)
{
    static const struct link_map *latest; /* most calls come from one module */
    static bool is_own;
    struct link_map *module = NULL;
    Dl_info info;
    if (dladdr1(address, &info, (void **)&module, RTLD_DL_LINKMAP) == 0 || module == NULL)
        return false;
    if (module != latest) {
        is_own = is_own_module(module);
        latest = module;
    }
    return is_own;
}
