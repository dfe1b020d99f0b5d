#include "cli/study/study_shared.h"

#include "base/file.h"
#include "base/text.h"
#include "cli/shared/arguments.h"
#include "cli/shared/say.h"
#include "cli/shared/write.h"
#include "sandbox/machine.h"

#include <stdlib.h>
#include <string.h>

size_t vl_study_lanes(void)
{
    int cores = vl_machine_cores();
    return cores < 4 ? (size_t)cores : (size_t)cores / 2;
}

/* ---- what is asked ---- */

/* Which studies have a flag; those that are not here are everybody's. */
static const struct {
    const char *flag, *studies;
} owners[] = {{"steps", "balance|bandwidth"}, {"seeds", "balance"},   {"alphas", "balance"},
              {"runs", "bandwidth"},          {"rates", "bandwidth"}, {"chips", "chips"},
              {"machines", "chips"},          {"factors", "chips"}};

enum vl_exit vl_study_refuse_flags(const struct vl_arguments *arguments, const char *study)
{
    for (size_t i = 0; i < sizeof owners / sizeof *owners; i++)
        if (vl_argument(arguments, owners[i].flag) != NULL &&
            strstr(owners[i].studies, study) == NULL)
            return vl_say(VL_EXIT_USAGE,
                          _("`--%1$s` belongs to `vialata study %2$s`: leave it out."),
                          owners[i].flag, owners[i].studies);
    return VL_EXIT_OK;
}

static enum vl_exit try_place(const char *path)
{
    return path == NULL ? VL_EXIT_OK : vl_write_say(vl_file_try(path), path, VL_EXIT_USAGE);
}

enum vl_exit vl_study_find_places(struct vl_study_places *places,
                                  const struct vl_arguments *arguments, const char *page)
{
    const char *out = vl_argument(arguments, "out");
    places->page = out != NULL ? out : page;
    places->json = vl_argument(arguments, "json");
    if (places->json != NULL && vl_file_is_same(places->page, places->json))
        return vl_say(VL_EXIT_USAGE,
                      _("`--out` and `--json` lead to the same file, and one of them would be "
                        "lost: give `--json` another name."));
    enum vl_exit result = try_place(places->page);
    return result == VL_EXIT_OK ? try_place(places->json) : result;
}

/* ---- what is told ---- */

static enum vl_exit write_json(json_t *all, const char *path)
{
    char *text = all != NULL ? json_dumps(all, JSON_COMPACT) : NULL;
    enum vl_status status = text != NULL ? vl_file_write(path, text, strlen(text)) : VL_ENOMEM;
    free(text);
    return vl_write_say(status, path, VL_EXIT_LACK);
}

enum vl_exit vl_study_tell(const struct vl_terminal *terminal, const struct vl_study_places *places,
                           const char *sentence, enum vl_status written, json_t *all)
{
    enum vl_exit result = vl_write_say(written, places->page, VL_EXIT_LACK);
    if (result == VL_EXIT_OK)
        vl_terminal_sentence(terminal, VL_STYLE_PLAIN, sentence, places->page);
    enum vl_exit other = places->json != NULL ? write_json(all, places->json) : VL_EXIT_OK;
    json_decref(all);
    return result != VL_EXIT_OK ? result : other;
}
