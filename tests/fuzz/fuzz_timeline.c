/* Any bytes as a trace: refused, or it can be measured, compared with what its pipeline promised,
 * and drawn on a terminal and as SVG. */
#include "fuzz.h"

#include "report/schedule/comparison.h"
#include "report/timeline/timeline.h"

static FILE *nowhere;

static void show(struct vl_timeline *timeline, const json_t *trace)
{
    const struct vl_terminal terminal = {.stream = nowhere, .columns = 80};
    static struct vl_timeline_facts facts;
    struct vl_comparison *comparison = NULL;
    const char *reason = NULL;
    char *svg = NULL;
    if (vl_timeline_measure(&facts, timeline) == VL_OK) {
        json_decref(vl_timeline_json(timeline, &facts));
        vl_timeline_draw_facts(timeline, &facts, &terminal);
    }
    if (vl_comparison_read(&comparison, timeline, trace, &reason) == VL_OK && comparison != NULL) {
        json_decref(vl_comparison_json(comparison));
        vl_comparison_draw(comparison, &terminal);
    }
    vl_comparison_free(comparison);
    vl_timeline_draw(timeline, 0, &terminal);
    const struct vl_timeline_part part = {timeline, "fuzz"};
    vl_timeline_svg(&svg, &part, 1);
    free(svg);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct vl_timeline *timeline = NULL;
    const char *reason = NULL;
    json_t *trace = json_loadb((const char *)bytes, n, JSON_REJECT_DUPLICATES, NULL);
    if (trace == NULL)
        return 0;
    if (nowhere == NULL)
        nowhere = fopen("/dev/null", "w");
    MUST(nowhere != NULL);
    enum vl_status status = vl_timeline_read(&timeline, trace, &reason);
    if (status == VL_OK)
        show(timeline, trace);
    else
        MUST(status != VL_EFORMAT || reason != NULL);
    vl_timeline_free(timeline);
    json_decref(trace);
    return 0;
}

/* Two stages with one task each, as `train --trace` writes them; and ranks that only send. */
static void make_seeds(void)
{
    seed_text(
        "pipeline",
        "{\"traceEvents\": ["
        "{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 0, \"args\": {\"name\": \"rank 0\"}},"
        "{\"name\": \"F\", \"ph\": \"X\", \"pid\": 0, \"tid\": 0, \"ts\": 0, \"dur\": 5,"
        " \"args\": {\"chunk\": 0, \"micro_batch\": 0}},"
        "{\"name\": \"F\", \"ph\": \"X\", \"pid\": 1, \"tid\": 0, \"ts\": 6, \"dur\": 5,"
        " \"args\": {\"chunk\": 0, \"micro_batch\": 0}},"
        "{\"name\": \"B\", \"ph\": \"X\", \"pid\": 1, \"tid\": 0, \"ts\": 11, \"dur\": 5,"
        " \"args\": {\"chunk\": 0, \"micro_batch\": 0}},"
        "{\"name\": \"W\", \"ph\": \"X\", \"pid\": 1, \"tid\": 0, \"ts\": 16, \"dur\": 5,"
        " \"args\": {\"chunk\": 0, \"micro_batch\": 0}},"
        "{\"name\": \"B\", \"ph\": \"X\", \"pid\": 0, \"tid\": 0, \"ts\": 17, \"dur\": 5,"
        " \"args\": {\"chunk\": 0, \"micro_batch\": 0}},"
        "{\"name\": \"W\", \"ph\": \"X\", \"pid\": 0, \"tid\": 0, \"ts\": 22, \"dur\": 5,"
        " \"args\": {\"chunk\": 0, \"micro_batch\": 0}}],"
        "\"otherData\": {\"ranks\": 2, \"schedule\": {\"name\": \"afab\", \"stages\": 2,"
        " \"chunks\": 1, \"micro_batches\": 1, \"tasks\": [\"F0 B0 W0\", \"F0 B0 W0\"],"
        " \"stage_of_rank\": [0, 1]}}}");
    seed_text(
        "messages",
        "[{\"name\": \"backward\", \"ph\": \"X\", \"pid\": 3, \"tid\": 0, \"ts\": 1.5,"
        " \"dur\": 9, \"args\": {\"unit\": 2}},"
        "{\"name\": \"MPI_Isend\", \"ph\": \"X\", \"pid\": 3, \"tid\": 1, \"ts\": 4, \"dur\": 8,"
        " \"args\": {\"tag\": 5, \"peer\": 1, \"bytes\": 4096}},"
        "{\"name\": \"backward ends\", \"ph\": \"i\", \"pid\": 3, \"tid\": 4, \"ts\": 10,"
        " \"s\": \"p\", \"args\": {}}]");
}
