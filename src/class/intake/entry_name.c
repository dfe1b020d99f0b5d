#include "class/intake/entry_name.h"

#include "class/intake/archive.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MOODLE_MARK "_assignsubmission_"

/* Cut a Canvas name, "lovelaceada_LATE_381_7241_lab02": the student, a mark, two numbers, the file. */
static bool cut_canvas(char *name, struct vl_entry_name *said)
{
    char *at = strchr(name, '_');
    if (at == NULL || at == name)
        return false;
    char *rest = at + 1;
    bool marked = strncmp(rest, "LATE_", 5) == 0 || strncmp(rest, "late_", 5) == 0;
    rest += marked ? 5 : 0;
    const char *number = rest;
    for (int numbers = 0; numbers < 2; numbers++) {
        size_t digits = strspn(rest, "0123456789");
        if (digits == 0 || rest[digits] != '_')
            return false;
        rest += digits + 1;
    }
    *at = '\0';
    said->late = marked;
    said->number = strtoull(number, NULL, 10);
    return true;
}

/* Cut a Moodle name, "Ada Lovelace_381_assignsubmission_file_": the name, a number. */
static bool cut_moodle(char *name, struct vl_entry_name *said)
{
    char *mark = strstr(name, MOODLE_MARK);
    if (mark == NULL)
        return false;
    *mark = '\0';
    char *number = strrchr(name, '_');
    if (number != NULL && number != name && number[1] != '\0' &&
        number[1 + strspn(number + 1, "0123456789")] == '\0') {
        *number = '\0';
        said->number = strtoull(number + 1, NULL, 10);
    }
    return true;
}

/* A second file of that name, as a browser or a platform calls it: "", "-1", " (1)". */
static bool is_copy_mark(const char *text)
{
    bool bracket = strncmp(text, " (", 2) == 0;
    const char *digits = text + (bracket ? 2 : text[0] == '-');
    size_t n = strspn(digits, "0123456789");
    return text[0] == '\0' ||
           (n > 0 && digits > text && strcmp(digits + n, bracket ? ")" : "") == 0);
}

/* Cut a name of `vialata handin`, "ada-02_collectives". The lab, or NULL. */
static const struct vl_lab *cut_lab(char *name)
{
    for (size_t i = 0; i < vl_lab_count; i++) {
        size_t n = strlen(vl_labs[i]->folder);
        for (char *dash = strchr(name, '-'); dash != NULL; dash = strchr(dash + 1, '-')) {
            if (dash == name || strncmp(dash + 1, vl_labs[i]->folder, n) != 0 ||
                !is_copy_mark(dash + 1 + n))
                continue;
            *dash = '\0';
            return vl_labs[i];
        }
    }
    return NULL;
}

struct vl_entry_name vl_entry_name(const char *entry)
{
    struct vl_entry_name said = {.student = strdup(entry)};
    char *name = said.student;
    if (name == NULL)
        return said;
    size_t ending = vl_archive_ending(name), n = strlen(name);
    if (ending > 0)
        name[n - ending] = '\0';
    else if (n > 2 && strcmp(name + n - 2, ".c") == 0)
        name[n - 2] = '\0';
    said.lab = cut_lab(name);
    if (!cut_moodle(name, &said))
        cut_canvas(name, &said);
    return said;
}

const struct vl_lab *vl_entry_lab(const char *entry)
{
    struct vl_entry_name said = vl_entry_name(entry);
    free(said.student);
    return said.lab;
}
