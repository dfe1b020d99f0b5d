#include "cli/commands/grade_program.h"

#include "base/path.h"
#include "base/place.h"
#include "base/text.h"
#include "cli/shared/say.h"
#include "cli/shared/write.h"
#include "grade/catalogue/case.h"
#include "grade/catalogue/maker.h"
#include "grade/program/case_program.h"
#include "report/draw/terminal.h"
#include "report/verdict/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct vl_case *find_case(const struct vl_lab *lab, const char *only)
{
    const struct vl_lab_cases *all = vl_lab_cases(lab);
    for (size_t i = 0; i < all->case_count; i++)
        if (strcmp(all->cases[i].id, only) == 0 || strcmp(all->cases[i].function, only) == 0)
            return &all->cases[i];
    return NULL;
}

/* ---- the command that compiles it ---- */

/* What buildinfo.json lists under the key, 'before' each. */
static void put_list(FILE *out, const char *before, const char *key)
{
    char **list = vl_place_list(key);
    for (size_t i = 0; list != NULL && list[i] != NULL; i++) {
        fputs(before, out);
        vl_shell_word_show(out, list[i]);
    }
    vl_place_list_free(list);
}

static void put_sources(FILE *out, const struct vl_lab *lab, const char *folder)
{
    for (const char *const *name = lab->files; *name != NULL; name++) {
        char *source = vl_path_join(folder, *name);
        char *shown = source != NULL ? vl_path_shown(source) : NULL;
        if (shown != NULL && access(source, R_OK) == 0) {
            fputc(' ', out);
            vl_shell_word_show(out, shown);
        }
        free(shown);
        free(source);
    }
}

/* Functions of the lab that need what is not here (other labs, the engine) are left out by the
 * linker, since this program never calls them. */
static char *compile_line(const struct vl_lab *lab, const char *folder, const char *path)
{
    char *line = NULL;
    size_t length;
    FILE *out = open_memstream(&line, &length);
    if (out == NULL)
        return NULL;
    fputs("cc -g -fopenmp-simd -ffunction-sections -Wl,--gc-sections -I ", out);
    vl_shell_word_show(out, folder);
    put_list(out, " -I ", "include");
    put_list(out, " -I ", "blas_includes");
    fputc(' ', out);
    vl_shell_word_show(out, path);
    put_sources(out, lab, folder);
    put_list(out, " ", "blas_libraries");
    char *program = strndup(path, strlen(path) - strlen(".c"));
    fputs(" -lm -o ", out);
    if (program != NULL)
        vl_shell_word_show(out, program);
    free(program);
    if (fclose(out) == 0)
        return line;
    free(line);
    return NULL;
}

/* ---- doing it ---- */

static enum vl_exit check_path(const char *path)
{
    size_t length = strlen(path);
    if (length <= 2 || strcmp(path + length - 2, ".c") != 0)
        return vl_say(VL_EXIT_USAGE,
                      _("`--program` writes a C file, so its name ends in .c, and "
                        "`%s` does not."),
                      path);
    if (access(path, F_OK) == 0)
        return vl_say(VL_EXIT_USAGE,
                      _("%s is already there, and it may be your work: choose another name after "
                        "`--program`."),
                      path);
    return VL_EXIT_OK;
}

/* What the file says of itself; a path could end the comment. */
static char *opening_of(const struct vl_lab *lab, const struct vl_case *c, const char *line)
{
    char *sentence = vl_text_format(_("The case %1$s of lab %2$02d as a program of its own."),
                                    c->id, lab->number);
    int fits = line != NULL && strstr(line, "*/") == NULL && strstr(line, "/*") == NULL;
    char *opening = sentence == NULL ? NULL
                    : fits           ? vl_text_format(" * %s\n *\n *   %s\n", sentence, line)
                                     : vl_text_format(" * %s\n", sentence);
    free(sentence);
    return opening;
}

static void tell(const char *path, const char *line)
{
    struct vl_terminal terminal;
    vl_terminal_open(&terminal, stdout);
    vl_terminal_sentence(&terminal, VL_STYLE_PLAIN,
                         _("The case is in %s. Compile it with your code, then run it, or step "
                           "through it with gdb:"),
                         path);
    printf("    %s\n    gdb -q ", line);
    char *program = vl_text_format("./%.*s", (int)(strlen(path) - strlen(".c")), path);
    if (program != NULL)
        vl_shell_word_show(stdout, path[0] == '/' ? program + 2 : program);
    free(program);
    putchar('\n');
}

enum vl_exit vl_grade_program(const struct vl_lab *lab, const char *only,
                              const struct vl_origin *origin, const char *folder, const char *path)
{
    enum vl_exit result = check_path(path);
    const struct vl_case *c = find_case(lab, only);
    if (result != VL_EXIT_OK)
        return result;
    char *line = compile_line(lab, folder, path), *text = NULL;
    struct vl_bag *inputs = c != NULL ? vl_case_inputs(c, origin) : NULL;
    char *opening = c != NULL ? opening_of(lab, c, line) : NULL;
    enum vl_status status = VL_ELACK;
    if (c != NULL)
        status = line != NULL && inputs != NULL && opening != NULL
                     ? vl_case_program(&text, c, inputs, opening)
                     : VL_ENOMEM;
    if (status == VL_ELACK)
        result = vl_say(VL_EXIT_USAGE,
                        _("%s cannot be a small program of its own: it has several ranks, needs "
                          "the course's engine, or is too large. Add `--gdb` instead to step "
                          "through it."),
                        only);
    else
        result = vl_write_text(path, status, text);
    if (result == VL_EXIT_OK)
        tell(path, line);
    vl_bag_free(inputs);
    free(opening);
    free(text);
    free(line);
    return result;
}
