#include "class/book/suspicion.h"

#include "base/text.h"
#include <string.h>

static const struct {
    const char *code, *words;
} suspicions[] = {
    {"implausible_speed", N_("more than three times as fast as the reference")},
    {"worked_out_of_turn", N_("computed while no clock was running for it")},
    {"used_threads", N_("used more threads or cores than it may")},
    {"bytes_unmetered", N_("ranks exchanged bytes outside MPI")},
    {"bytes_unsent", N_("MPI's calls report more bytes than the ranks exchanged")},
    {"wrong_protocol", N_("the timed run answered what nobody had asked")},
    {"other_shapes", N_("the prediction is about another student's shapes")},
};

const char *vl_suspicion(const char *code)
{
    for (size_t i = 0; code != NULL && i < sizeof suspicions / sizeof *suspicions; i++)
        if (strcmp(suspicions[i].code, code) == 0)
            return _(suspicions[i].words);
    return NULL;
}

static int is_told(const struct vl_verdict *verdict, size_t before, const char *code)
{
    for (size_t i = 0; i < before; i++)
        if (verdict->cases[i].code != NULL && strcmp(verdict->cases[i].code, code) == 0)
            return 1;
    return 0;
}

const struct vl_case_result *vl_suspicious_next(const struct vl_verdict *verdict, size_t *at)
{
    while (*at < verdict->case_count) {
        size_t i = (*at)++;
        const char *code = verdict->cases[i].code;
        if (vl_suspicion(code) != NULL && !is_told(verdict, i, code))
            return &verdict->cases[i];
    }
    return NULL;
}
