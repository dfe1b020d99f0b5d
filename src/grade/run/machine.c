#include "grade/run/machine.h"

#include "base/place.h"
#include "base/text.h"

#include <sched.h>
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
    char *text = NULL;
    int cores = vl_machine_cores();
    if (asprintf(&text, VL_NGETTEXT("%s, %d core", "%s, %d cores", (unsigned long)cores),
                 name[0] != '\0' ? name : _("unknown processor"), cores) < 0)
        return NULL;
    return text;
}

/* An absolute path, or a name to be found in PATH. */
static int is_program(const char *name)
{
    if (name[0] == '\0')
        return 0;
    if (strchr(name, '/') != NULL)
        return access(name, X_OK) == 0;
    const char *path = getenv("PATH");
    for (const char *rest = path != NULL ? path : "/usr/bin:/bin"; *rest != '\0';) {
        size_t length = strcspn(rest, ":");
        char candidate[4096];
        snprintf(candidate, sizeof candidate, "%.*s/%s", (int)length, rest, name);
        if (access(candidate, X_OK) == 0)
            return 1;
        rest += length + (rest[length] == ':');
    }
    return 0;
}

char *vl_machine_lacks(void)
{
    const char *missing = NULL;
    if (!is_program(vl_place_text("compiler")))
        missing = _("The C compiler that vialata was built with is no longer on this machine, so "
                    "nothing can be graded. Run `./vialata`: it installs what is missing.");
    else if (!is_program("nm"))
        missing = _("This machine lacks binutils (nm), so nothing can be graded. Run `./vialata`: "
                    "it installs what is missing.");
    else if (!is_program(vl_place_text("mpiexec")))
        missing = _("This machine lacks mpirun (Open MPI), so nothing can be graded. Run "
                    "`./vialata`: it installs what is missing.");
    return missing != NULL ? strdup(missing) : NULL;
}
