/*
 * What an editor reads in a workspace, so that it finds every header at once:
 *
 *   compile_commands.json   how each file is compiled, as grading does it
 *   .clangd                 to use the file above, and what not to complain about
 *   .vscode/tasks.json      "grade this lab", "debug this case"
 *   .vscode/launch.json     "debug this case", for F5
 *   .gitignore              what belongs to this machine alone
 *
 * Each is renewed as long as it is what Vialata wrote; a file that the student has changed, or had
 * before, stays as it is.
 */
#ifndef VIALATA_CLI_WORKSPACE_EDITOR_H
#define VIALATA_CLI_WORKSPACE_EDITOR_H

#include "cli/workspace/record.h"

/* For the labs that are in the workspace. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_editor_write(struct vl_record *record, const char *workspace);

#endif
