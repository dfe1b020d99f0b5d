#include "report/verdict/typed.h"

#include "base/file.h"
#include "base/path.h"
#include "base/place.h"
#include "report/verdict/replay.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The entrance of a copy of the course, or of a handout, where the programs are one folder below it. NULL: there is
 * none. */
static char *entrance(void)
{
    const char *root = vl_place_text("root");
    char *path =
        root[0] != '\0' ? vl_path_join(root, "vialata") : vl_place_path("bin", "../vialata");
    char *found = path != NULL && access(path, X_OK) == 0 ? vl_path_absolute(path) : NULL;
    free(path);
    return found;
}

/* How it is typed from here. The caller frees it. */
static char *typed_entrance(const char *path)
{
    char *here = getcwd(NULL, 0);
    size_t n = here != NULL ? strlen(here) : 0;
    bool inside = n > 0 && strncmp(path, here, n) == 0 && strcmp(path + n, "/vialata") == 0;
    free(here);
    return strdup(inside ? "./vialata" : path);
}

static char *installed(void)
{
    char *own = vl_place_path("bin", "vialata"), *found = vl_path_program("vialata");
    bool reached = own == NULL || (found != NULL && vl_file_is_same(own, found));
    char *shown = strdup(reached ? "vialata" : own);
    free(found);
    free(own);
    return shown;
}

void vl_typed_program(FILE *stream)
{
    char *path = entrance();
    char *program = path != NULL ? typed_entrance(path) : installed();
    vl_shell_word_show(stream, program != NULL ? program : "vialata");
    free(program);
    free(path);
}

void vl_typed(FILE *stream, const char *format, ...)
{
    va_list values;
    fputs("    ", stream);
    vl_typed_program(stream);
    fputc(' ', stream);
    va_start(values, format);
    vfprintf(stream, format, values);
    va_end(values);
    fputc('\n', stream);
}
