/* A question of PrairieLearn: docs/externalGrading.md and the element pl-file-upload of
 * PrairieLearn/PrairieLearn, as of 2025. */
#include "class/handout/kit.h"

#include "base/fingerprint.h"
#include "base/text.h"
#include "report/draw/markup.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define TIMEOUT 600 /* seconds: the most that PrairieLearn allows */

/* A UUID of version 8 (RFC 9562), made from the lab's name. */
static void identify(char text[37], const struct vl_lab *lab)
{
    uint64_t high = vl_fingerprint(VL_FINGERPRINT, lab->folder, strlen(lab->folder));
    uint64_t low = vl_fingerprint(high, "vialata", 7);
    snprintf(text, 37, "%08x-%04x-8%03x-%04x-%012llx", (unsigned)(high >> 32),
             (unsigned)(high >> 16) & 0xffff, (unsigned)high & 0xfff,
             ((unsigned)(low >> 48) & 0x3fff) | 0x8000, (unsigned long long)(low & 0xffffffffffff));
}

char *vl_kit_question_info(const struct vl_kit *kit, const struct vl_lab *lab)
{
    char uuid[37];
    identify(uuid, lab);
    json_t *info =
        json_pack("{ss ss ss s[s] ss sb ss s{sb ss ss si}}", "uuid", uuid, "title", _(lab->title),
                  "topic", "vialata", "tags", "vialata", "type", "v3", "singleVariant", 1,
                  "gradingMethod", "External", "externalGradingOptions", "enabled", 1, "image",
                  kit->image, "entrypoint", "/grade/tests/run.sh", "timeout", TIMEOUT);
    char *text = info != NULL ? json_dumps(info, JSON_INDENT(2)) : NULL;
    json_decref(info);
    return text;
}

char *vl_kit_question_page(const struct vl_lab *lab)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL)
        return NULL;
    fputs("<pl-question-panel>\n  <p>", stream);
    vl_markup_text(stream, _(lab->summary));
    fputs("</p>\n  <pl-file-upload file-names=\"", stream);
    for (size_t i = 0; lab->files[i] != NULL; i++)
        fprintf(stream, "%s%s", i > 0 ? "," : "", lab->files[i]);
    fputs("\"></pl-file-upload>\n</pl-question-panel>\n\n<pl-submission-panel>\n"
          "  <pl-external-grader-results></pl-external-grader-results>\n"
          "  <pl-file-preview></pl-file-preview>\n</pl-submission-panel>\n",
          stream);
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}
