#include "cli/workspace/editor_tasks.h"

#include "base/path.h"
#include "base/place.h"
#include "base/text.h"
#include "report/verdict/replay.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#define THIS_LAB   "${fileDirnameBasename}"
#define THIS_CASE  "${input:case}"
#define FIRST_CASE "rmsnorm_forward.odd"

/* The command that a person types: the entrance script of a checkout, else the program. */
static char *entrance(void)
{
    const char *root = vl_place_text("root");
    return root[0] != '\0' ? vl_path_join(root, "vialata") : vl_place_path("bin", "vialata");
}

static json_t *case_input(void)
{
    return json_pack("[{s:s, s:s, s:s, s:s}]", "id", "case", "type", "promptString", "description",
                     _("The case, as `vialata grade` shows it"), "default", FIRST_CASE);
}

static char *text_of(json_t *json)
{
    char *text = json != NULL ? json_dumps(json, JSON_INDENT(2)) : NULL;
    json_decref(json);
    return text;
}

char *vl_editor_tasks(void)
{
    char *command = entrance();
    json_t *grade = json_pack("{s:s, s:s, s:s, s:[s, s], s:{s:s, s:b}, s:{s:s, s:[s, s]}}", "label",
                              _("grade this lab"), "type", "process", "command",
                              command != NULL ? command : "vialata", "args", "grade", THIS_LAB,
                              "group", "kind", "build", "isDefault", 1, "problemMatcher", "base",
                              "$gcc", "fileLocation", "relative", "${fileDirname}");
    json_t *debug = json_pack("{s:s, s:s, s:s, s:[s, s, s, s, s], s:{s:b, s:s}, s:[]}", "label",
                              _("debug this case"), "type", "process", "command",
                              command != NULL ? command : "vialata", "args", "grade", THIS_LAB,
                              "--only", THIS_CASE, "--gdb", "presentation", "focus", 1, "panel",
                              "dedicated", "problemMatcher");
    free(command);
    return text_of(json_pack("{s:s, s:[o, o], s:o}", "version", "2.0.0", "tasks", grade, debug,
                             "inputs", case_input()));
}

/* The debugger is gdb in the terminal: the program exists only while it is graded, in a folder that
 * is removed at the end. */
char *vl_editor_launches(void)
{
    char *command = entrance(), *line = NULL;
    size_t size;
    FILE *stream = open_memstream(&line, &size);
    if (stream != NULL) {
        vl_shell_word_put(stream, command != NULL ? command : "vialata");
        fprintf(stream, " grade \"%s\" --only \"%s\" --gdb", THIS_LAB, THIS_CASE);
        fclose(stream);
    }
    json_t *debug = json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", _("debug this case"), "type",
                              "node-terminal", "request", "launch", "command",
                              line != NULL ? line : "", "cwd", "${workspaceFolder}");
    free(line);
    free(command);
    return text_of(json_pack("{s:s, s:[o], s:o}", "version", "0.2.0", "configurations", debug,
                             "inputs", case_input()));
}
