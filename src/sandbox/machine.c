#include "sandbox/machine.h"

#include "base/path.h"
#include "base/place.h"
#include "base/text.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int vl_machine_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

/* The number behind 'name' in a file of such lines, or the file's own number where the name is "";
 * UINT64_MAX if there is none. */
static uint64_t read_number(const char *path, const char *name)
{
    char line[256];
    unsigned long long number;
    uint64_t found = UINT64_MAX;
    size_t length = strlen(name);
    FILE *file = fopen(path, "re");
    while (file != NULL && found == UINT64_MAX && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, name, length) == 0 && sscanf(line + length, " %llu", &number) == 1)
            found = number;
    if (file != NULL)
        fclose(file);
    return found;
}

/* What a container's limit leaves; the kernel takes back what only keeps files. */
static uint64_t left_by_limit(void)
{
    uint64_t most = read_number("/sys/fs/cgroup/memory.max", "");
    uint64_t used = read_number("/sys/fs/cgroup/memory.current", "");
    uint64_t kept = read_number("/sys/fs/cgroup/memory.stat", "inactive_file ");
    if (most == UINT64_MAX || used == UINT64_MAX)
        return UINT64_MAX;
    used -= kept < used ? kept : 0;
    return most > used ? most - used : 0;
}

uint64_t vl_machine_memory(void)
{
    uint64_t kib = read_number("/proc/meminfo", "MemAvailable:"), left = left_by_limit();
    if (kib == UINT64_MAX)
        return left != UINT64_MAX ? left : 0;
    return kib * 1024 < left ? kib * 1024 : left;
}

char *vl_machine_text(void)
{
    char line[512], name[256] = "";
    FILE *info = fopen("/proc/cpuinfo", "re");
    while (info != NULL && name[0] == '\0' && fgets(line, sizeof line, info) != NULL) {
        char *colon = strchr(line, ':');
        if (colon != NULL && strncmp(line, "model name", 10) == 0)
            snprintf(name, sizeof name, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
    }
    if (info != NULL)
        fclose(info);
    int cores = vl_machine_cores();
    return vl_text_format(VL_NGETTEXT("%s, %d core", "%s, %d cores", (unsigned long)cores),
                          name[0] != '\0' ? name : _("unknown processor"), cores);
}

static bool is_program(const char *name)
{
    char *path = vl_path_program(name);
    bool found = path != NULL;
    free(path);
    return found;
}

const char *vl_machine_lacks(void)
{
    if (!is_program(vl_place_text("compiler")))
        return _("The C compiler that vialata was built with is no longer on this machine, so "
                 "nothing can be graded. Run `./vialata`: it installs what is missing.");
    if (!is_program("nm"))
        return _("This machine lacks binutils (nm), so nothing can be graded. Run `./vialata`: "
                 "it installs what is missing.");
    if (!is_program(vl_place_text("mpiexec")))
        return _("This machine lacks mpirun (Open MPI), so nothing can be graded. Run "
                 "`./vialata`: it installs what is missing.");
    return NULL;
}
