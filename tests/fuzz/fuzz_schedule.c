/* Any bytes as a schedule's text: refused with a sentence, or the schedule can be checked, and
 * written and read again without a change. An unsound one has a sentence that says why. */
#include "fuzz.h"

#include "engine/schedule/schedule_text.h"
#include "engine/schedule/schedule_words.h"

enum { MOST_TASKS = 4096 }; /* larger ones take long to check, and show nothing new */

static size_t tasks_of(const struct vl_schedule *schedule)
{
    return 3 * schedule->stages * schedule->chunks * schedule->micro_batches;
}

static void write_and_read_again(const struct vl_schedule *schedule)
{
    struct vl_schedule again = {.stages = schedule->stages,
                                .chunks = schedule->chunks,
                                .micro_batches = schedule->micro_batches};
    struct vl_schedule_problem problem;
    char *text = vl_schedule_text(schedule);
    MUST(text != NULL);
    MUST(vl_schedule_parse(&again, text, &problem) == VL_OK);
    char *twice = vl_schedule_text(&again);
    MUST(twice != NULL && strcmp(text, twice) == 0);
    free(text);
    free(twice);
    vl_schedule_free(&again);
}

static void look(const struct vl_schedule *schedule)
{
    struct vl_schedule_report report = {0};
    char sentence[VL_SCHEDULE_SENTENCE];
    if (vl_schedule_check(&report, schedule) != VL_OK)
        return;
    vl_schedule_fault_sentence(sentence, &report, schedule);
    MUST((sentence[0] == '\0') == (report.fault == VL_SCHEDULE_SOUND));
    write_and_read_again(schedule);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct vl_schedule schedule = {0};
    struct vl_schedule_problem problem = {0};
    char sentence[VL_SCHEDULE_SENTENCE];
    char *text = malloc(n + 1);
    MUST(text != NULL);
    memcpy(text, bytes, n);
    text[n] = '\0';
    if (vl_schedule_parse(&schedule, text, &problem) != VL_OK)
        MUST(vl_schedule_sentence(sentence, &problem)[0] != '\0');
    else if (tasks_of(&schedule) <= MOST_TASKS)
        look(&schedule);
    vl_schedule_free(&schedule);
    free(text);
    return 0;
}

static void make_seeds(void)
{
    seed_text("two_stages", "# p = 2, m = 3: 1F1B\n"
                            "F0 F1 .. .. B0 W0 F2 B1 W1 .. B2 W2\n"
                            ".. F0 B0 W0 F1 B1 W1 F2 B2 W2 ..\n");
    seed_text("chunks", "F0.0 f0.1 -- b0.1 w0.1 B0.0 W0.0\nF0 F0.1 B0.1 W0.1 B0 W0\n");
}
