#include "class/handout/made_for.h"

#include "base/place.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

/* The value of a line KEY=value or KEY="value", if this is one. */
static void take_value(char value[64], const char *line, const char *key)
{
    size_t length = strlen(key);
    if (strncmp(line, key, length) != 0 || line[length] != '=')
        return;
    const char *text = line + length + 1;
    text += *text == '"';
    snprintf(value, 64, "%.*s", (int)strcspn(text, "\"\n"), text);
}

/* Testing releases of Debian have a code name and no number. */
static void read_system(char *system, size_t size)
{
    char line[512], id[64] = "linux", number[64] = "", name[64] = "";
    FILE *file = fopen("/etc/os-release", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        take_value(id, line, "ID");
        take_value(number, line, "VERSION_ID");
        take_value(name, line, "VERSION_CODENAME");
    }
    if (file != NULL)
        fclose(file);
    snprintf(system, size, "%s %s", id, number[0] != '\0' ? number : name);
}

int vl_made_for_here(struct vl_made_for *made_for)
{
    struct utsname name = {.machine = ""};
    (void)uname(&name);
    read_system(made_for->system, sizeof made_for->system);
    snprintf(made_for->machine, sizeof made_for->machine, "%s", name.machine);
    made_for->processor = strdup(vl_place_text("processor"));
    for (char *c = made_for->processor; c != NULL && *c != '\0'; c++)
        if (*c == '\n')
            *c = c[1] != '\0' ? ' ' : '\0';
    return made_for->processor != NULL;
}

void vl_made_for_free(struct vl_made_for *made_for)
{
    free(made_for->processor);
    made_for->processor = NULL;
}
