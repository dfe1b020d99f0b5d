/*
 * The tasks of VS Code, and of the editors that read its files. The lab is the folder of the open
 * file; the editor asks for the case.
 */
#ifndef VIALATA_CLI_WORKSPACE_EDITOR_TASKS_H
#define VIALATA_CLI_WORKSPACE_EDITOR_TASKS_H

/* tasks.json and launch.json as texts, freed by the caller; NULL without memory. */
char *vl_editor_tasks(void);
char *vl_editor_launches(void);

#endif
