#include "class/similar/similar.h"

#include "base/path.h"
#include "base/text.h"
#include "base/words.h"
#include "sandbox/isolation.h"
#include "sandbox/process.h"
#include "sandbox/scratch/scratch.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define REPORT_BYTES ((size_t)8 << 20)

static const char program[] = "sim_c";

static int most_alike_first(const void *left, const void *right)
{
    const struct vl_similar_pair *a = left, *b = right;
    if (a->lab != b->lab)
        return a->lab->number < b->lab->number ? -1 : 1;
    return a->percent != b->percent ? b->percent - a->percent : strcmp(a->one, b->one);
}

/* Once, although it may be so for several labs. Takes the sentence over; NULL means that memory ran out. */
static void tell(struct vl_similar *similar, char *sentence)
{
    bool told = sentence == NULL;
    for (size_t i = 0; i < similar->problems.count && !told; i++)
        told = strcmp(similar->problems.list[i], sentence) == 0;
    if (!told)
        vl_words_add(&similar->problems, "%s", sentence);
    similar->problems.failed |= sentence == NULL;
    free(sentence);
}

/* ---- running it ---- */

/* What is compared: files of our own making and naming, in a folder. */
struct comparison {
    char *scratch, *sources, *run; /* folders */
    const struct vl_similar_source **compared;
    size_t count;
};

static enum vl_status write_source(struct vl_similar *similar, struct comparison *comparison,
                                   const struct vl_known_lines *known,
                                   const struct vl_similar_source *source)
{
    char name[32];
    snprintf(name, sizeof name, "%zu.c", comparison->count);
    FILE *file = vl_scratch_begin(comparison->sources, name);
    if (file == NULL)
        return VL_EIO;
    size_t put = vl_own_lines_put(file, known, source->lab, source->path);
    enum vl_status status = vl_scratch_end(file);
    if (put > VL_SIMILAR_BYTES)
        tell(similar,
             vl_text_format(_("Lab %1$02d of `%2$s` was not compared, because it is longer than "
                              "%3$zu KiB: read it yourself."),
                            source->lab->number, source->student, VL_SIMILAR_BYTES >> 10));
    else if (put > 0) /* else the next one takes its place */
        comparison->compared[comparison->count++] = source;
    return status;
}

static enum vl_status write_sources(struct vl_similar *similar, struct comparison *comparison,
                                    const struct vl_similar_source *sources, size_t count,
                                    const struct vl_lab *lab)
{
    comparison->compared = calloc(count + 1, sizeof(const struct vl_similar_source *));
    struct vl_known_lines *known = vl_known_lines_of(lab);
    enum vl_status status = comparison->compared != NULL && known != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK)
        status = vl_scratch_create(&comparison->scratch);
    if (status == VL_OK)
        status = vl_scratch_folder(&comparison->sources, comparison->scratch, "sources");
    for (size_t i = 0; i < count && status == VL_OK; i++)
        if (sources[i].lab == lab)
            status = write_source(similar, comparison, known, &sources[i]);
    free(known);
    return status;
}

static void close_comparison(struct comparison *comparison)
{
    if (comparison->scratch != NULL)
        vl_scratch_remove(comparison->scratch);
    free(comparison->scratch);
    free(comparison->sources);
    free(comparison->run);
    free(comparison->compared);
}

/* Shares, of each file in each other one alone: a third does not hide a pair. */
static void add_words(struct vl_words *words, const struct comparison *comparison, int percent)
{
    vl_words_add(words, "%s", program);
    vl_words_add(words, "-p");
    vl_words_add(words, "-e");
    vl_words_add(words, "-a");
    vl_words_add(words, "-t");
    vl_words_add(words, "%d", percent);
    for (size_t i = 0; i < comparison->count; i++)
        vl_words_add(words, "%zu.c", i);
}

static enum vl_status compare(struct vl_similar *similar, const struct comparison *comparison,
                              const struct vl_sandbox *sandbox, int percent)
{
    const char *const sees[] = {comparison->sources, NULL};
    const struct vl_limits limits = {.seconds = VL_SIMILAR_SECONDS,
                                     .memory = (size_t)2 << 30,
                                     .file_size = 1u << 20,
                                     .processes = 160,
                                     .output = REPORT_BYTES,
                                     .sees = sees};
    struct vl_process process = {.pipe = -1};
    struct vl_words words = {0};
    add_words(&words, comparison, percent);
    enum vl_status status = words.failed ? VL_ENOMEM : VL_OK;
    if (status == VL_OK)
        status = vl_process_run(&process, sandbox, comparison->sources, words.list, &limits);
    if (status == VL_OK) {
        status = vl_similar_parse(similar, process.words != NULL ? process.words : "",
                                  comparison->compared, comparison->count, percent);
        if (process.exit != 0 || process.overtime)
            tell(similar,
                 vl_text_format(_("Not all submissions could be compared: `%s` failed or took "
                                  "too long."),
                                program));
        vl_process_free(&process);
    }
    vl_words_free(&words);
    return status;
}

static enum vl_status compare_behind_wall(struct vl_similar *similar, struct comparison *comparison,
                                          int percent)
{
    struct vl_sandbox sandbox = {0};
    comparison->run = vl_path_join(comparison->scratch, "run");
    enum vl_status status =
        comparison->run != NULL ? vl_sandbox_open(&sandbox, comparison->run) : VL_ENOMEM;
    if (status == VL_OK)
        status = vl_isolation_choose(&sandbox, false);
    if (status == VL_OK)
        status = compare(similar, comparison, &sandbox, percent);
    vl_sandbox_close(&sandbox);
    return status;
}

enum vl_status vl_similar_find(struct vl_similar *similar, const struct vl_similar_source *sources,
                               size_t count, const struct vl_lab *lab, int percent)
{
    struct comparison comparison = {0};
    char *found = vl_path_program(program);
    if (found == NULL) {
        tell(similar,
             vl_text_format(_("Nobody looked for similar submissions: install Debian's package "
                              "`similarity-tester`, and run the command again.")));
        return VL_OK;
    }
    free(found);
    enum vl_status status = write_sources(similar, &comparison, sources, count, lab);
    if (status == VL_OK && comparison.count > 1)
        status = compare_behind_wall(similar, &comparison, percent);
    if (status == VL_OK && similar->problems.failed)
        status = VL_ENOMEM;
    if (similar->count > 0)
        qsort(similar->list, similar->count, sizeof *similar->list, most_alike_first);
    close_comparison(&comparison);
    return status;
}

void vl_similar_free(struct vl_similar *similar)
{
    free(similar->list);
    vl_words_free(&similar->problems);
    *similar = (struct vl_similar){0};
}
