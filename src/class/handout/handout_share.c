#include "base/path.h"
#include "base/place.h"
#include "base/text.h"
#include "class/handout/handout_parts.h"
#include "class/handout/tree.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- texts ---- */

/* "fr", "fr_FR.UTF-8": a folder of a language that is not handed out. */
static bool is_other_language(const struct vl_handout *handout, const char *name)
{
    const char *language = vl_text_language_of(name);
    return handout->language != NULL && language != NULL && strcmp(language, "en") != 0 &&
           strcmp(language, handout->language) != 0;
}

static bool is_wanted(const char *name, bool is_folder, const void *context)
{
    return !is_folder || !is_other_language(context, name);
}

/* The texts of a lab lie in a folder of its name. */
static bool is_wanted_text(const char *name, bool is_folder, const void *context)
{
    const struct vl_lab *lab = is_folder ? vl_lab_find(name) : NULL;
    return is_wanted(name, is_folder, context) && (lab == NULL || vl_handout_has(context, lab));
}

/* A folder that was not built (the book, perhaps) is left out. */
static enum vl_status copy_folder(const struct vl_handout *handout, const char *folder,
                                  const char *name)
{
    char *from = vl_place_path("share", name), *to = NULL;
    enum vl_status status = VL_ENOMEM;
    if (from != NULL && asprintf(&to, "%s/" VL_HANDOUT_SHARE "/%s", folder, name) >= 0)
        status =
            access(from, F_OK) == 0
                ? vl_tree_copy(to, from, strcmp(name, "texts") == 0 ? is_wanted_text : is_wanted,
                               handout)
                : VL_OK;
    free(from);
    free(to);
    return status;
}

enum vl_status vl_handout_share(const struct vl_handout *handout, const char *folder)
{
    static const char *const names[] = {"locale", "locpath", "texts", "book"};
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names && status == VL_OK; i++)
        status = copy_folder(handout, folder, names[i]);
    return status;
}

/* ---- README.md ---- */

static void put_words(FILE *out, const struct vl_handout *handout,
                      const struct vl_made_for *made_for)
{
    int first = handout->labs[0]->number;
    fprintf(out, "# Vialata\n\n%s\n\n",
            _("Labs in C about how large language models are trained on many machines. Begin with "
              "these two commands, in this folder:"));
    fputs("```\n./vialata tour\n./vialata selftest\n```\n\n", out);
    fprintf(out, "%s\n\n",
            _("The first installs what this machine lacks, and shows a graded lab, a training run "
              "and what comes next. The second grades the reference of every lab here, so you know "
              "that grading works on this machine."));
    fprintf(out, _("`./vialata list` shows the labs, and `./vialata start %02d` begins the first."),
            first);
    if (handout->named) {
        fputc(' ', out);
        fprintf(out, _(VL_HANDOUT_ASK_NAME), first);
    }
    fputs("\n\n", out);
    fprintf(out, "%s\n\n",
            _("Your work lies outside this folder, in `~/vialata-work`, so you can replace this "
              "folder with a newer one at any time."));
    fprintf(out, _("It was made on %1$s (%2$s), and works on such systems only."), made_for->system,
            made_for->machine);
    fprintf(out, "\n\n%s\n",
            _("The references are here as compiled files, and no date can lock what is on your "
              "disk. Only the points of your instructor's own grading count."));
}

char *vl_handout_readme(const struct vl_handout *handout, const struct vl_made_for *made_for)
{
    char *text = NULL, *share = vl_place_path("share", NULL);
    char *before = strdup(vl_text_language());
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (handout->language != NULL)
        vl_text_start(handout->language, share);
    if (out != NULL)
        put_words(out, handout, made_for);
    if (before != NULL)
        vl_text_start(before, share);
    if (out == NULL || fclose(out) != 0) {
        free(text);
        text = NULL;
    }
    free(before);
    free(share);
    return text;
}
