#include "cli/workspace/repository.h"

#include "base/path.h"
#include "base/text.h"
#include "cli/workspace/git.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Enough for a commit where git does not know who its user is. */
#define NAME  "user.name=Vialata"
#define EMAIL "user.email=student@vialata.invalid"

static int run(const char *workspace, const char *const *words)
{
    return vl_git(NULL, NULL, workspace, words);
}

static int has_repository(const char *workspace)
{
    char *git = vl_path_join(workspace, ".git");
    int found = git != NULL && access(git, F_OK) == 0;
    free(git);
    return found;
}

/* A repository around the folder that does not ignore it is somebody's own. */
static bool lies_in_another(const char *workspace)
{
    const char *const inside[] = {"rev-parse", "--is-inside-work-tree", NULL};
    const char *const ignored[] = {"check-ignore", "-q", ".", NULL};
    return run(workspace, inside) == 0 && run(workspace, ignored) != 0;
}

enum vl_status vl_repository_make(struct vl_record *record, const char *workspace)
{
    const char *const here[] = {"--version", NULL};
    const char *const begin[] = {"init", "-q", NULL};
    if (has_repository(workspace) || run(workspace, here) != 0 || lies_in_another(workspace))
        return VL_OK;
    if (run(workspace, begin) != 0)
        return VL_EIO;
    return json_object_set_new(record->json, "repository", json_true()) == 0 ? VL_OK : VL_ENOMEM;
}

static bool knows_its_user(const char *workspace)
{
    const char *const name[] = {"config", "user.name", NULL};
    const char *const email[] = {"config", "user.email", NULL};
    return run(workspace, name) == 0 && run(workspace, email) == 0;
}

enum vl_status vl_repository_keep(const struct vl_record *record, const char *workspace,
                                  const struct vl_lab *lab)
{
    if (!json_is_true(json_object_get(record->json, "repository")) || !has_repository(workspace))
        return VL_OK;
    char message[256];
    /* TRANSLATORS: the message of a commit in the student's own repository. */
    snprintf(message, sizeof message, _("Lab %1$02d (%2$s) as it was given"), lab->number,
             lab->slug);
    int known = knows_its_user(workspace);
    const char *const add[] = {"add", "--", ".gitignore", ".clangd", lab->folder, NULL};
    const char *const commit[] = {"-c",          known ? "core.pager=cat" : NAME,
                                  "-c",          known ? "core.pager=cat" : EMAIL,
                                  "commit",      "-q",
                                  "--no-verify", "--no-gpg-sign",
                                  "-m",          message,
                                  "--only",      "--",
                                  ".gitignore",  ".clangd",
                                  lab->folder,   NULL};
    return run(workspace, add) == 0 && run(workspace, commit) == 0 ? VL_OK : VL_EIO;
}

void vl_repository_commit(char **commit, bool *committed, const char *workspace,
                          const struct vl_lab *lab)
{
    char sources[256], headers[256], *changes = NULL;
    snprintf(sources, sizeof sources, ":(glob)%s/*.c", lab->folder);
    snprintf(headers, sizeof headers, ":(glob)%s/*.h", lab->folder);
    const char *const last[] = {"rev-parse", "--verify", "-q", "HEAD", NULL};
    const char *const status[] = {"status", "--porcelain", "--ignored", "--",
                                  sources,  headers,       NULL};
    size_t n = 0, more = 0;
    *commit = NULL;
    *committed = false;
    if (!has_repository(workspace) && !lies_in_another(workspace))
        return;
    if (vl_git(commit, &n, workspace, last) != 0 || *commit == NULL || n == 0) {
        free(*commit);
        *commit = NULL;
        return;
    }
    (*commit)[strcspn(*commit, "\n")] = '\0';
    *committed = vl_git(&changes, &more, workspace, status) == 0 && more == 0;
    free(changes);
}
