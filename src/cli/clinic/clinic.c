/* vialata clinic: broken programs to practise on. */
#include "base/text.h"
#include "cli/clinic/visit.h"
#include "cli/shared/arguments.h"
#include "cli/shared/say.h"
#include "sandbox/interrupt.h"

#include <stddef.h>

typedef enum vl_exit form(struct vl_clinic_visit *visit);

static const struct {
    const char *flag;
    form *form;
} forms[] = {
    {"rank", vl_clinic_diagnose}, {"line", vl_clinic_diagnose}, {"cause", vl_clinic_diagnose},
    {"hint", vl_clinic_hint},     {"check", vl_clinic_check},   {"give-up", vl_clinic_answer},
    {"reset", vl_clinic_reset},   {"report", vl_clinic_look},   {"run", vl_clinic_look},
};

/* The one form that is asked for; the story if none is, NULL for two. */
static form *form_of(const struct vl_arguments *arguments)
{
    form *found = NULL;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (vl_argument(arguments, forms[i].flag) == NULL || found == forms[i].form)
            continue;
        if (found != NULL)
            return NULL;
        found = forms[i].form;
    }
    return found != NULL ? found : vl_clinic_story;
}

static enum vl_exit visit_case(form *act, int number, const struct vl_arguments *arguments)
{
    struct vl_clinic_visit visit = {.item = vl_clinic_case(number), .arguments = arguments};
    if (visit.item == NULL)
        return vl_say(VL_EXIT_USAGE, _("The clinic has no case %d."), number);
    visit.chart = vl_clinic_chart_recall(visit.item);
    vl_interrupt_begin();
    enum vl_exit result = vl_clinic_shelf_open(&visit.shelf, visit.item);
    if (result == VL_EXIT_OK)
        result = act(&visit);
    vl_clinic_shelf_free(&visit.shelf);
    vl_interrupt_end();
    return result;
}

static int run(const struct vl_arguments *arguments)
{
    uint64_t number = 0;
    form *act = form_of(arguments);
    if (vl_argument(arguments, "causes") != NULL)
        return vl_clinic_causes();
    if (act == NULL || (arguments->count > 0 && vl_argument(arguments, "json") != NULL))
        return vl_say(VL_EXIT_USAGE, "%s",
                      _("These options do not go together: `vialata clinic --help` says what each "
                        "does."));
    if (arguments->count == 0 && act != vl_clinic_story)
        return vl_say(VL_EXIT_USAGE, "%s",
                      _("Which case? `vialata clinic` lists them, and `vialata clinic 1` begins "
                        "with the first."));
    if (arguments->count == 0)
        return vl_clinic_list(arguments);
    if (!vl_argument_number(&number, "vialata clinic N", arguments->words[0], 1,
                            (uint64_t)vl_clinic_cases[vl_clinic_count - 1]->number))
        return VL_EXIT_USAGE;
    return visit_case(act, (int)number, arguments);
}

static const struct vl_flag flags[] = {
    {"run", NULL, N_("compile your program and run it")},
    {"report", NULL,
     N_("run it, and say what can be seen from outside: after your first diagnosis; later ones "
        "earn 15 points less")},
    {"n", "N", N_("how many ranks; by default, those of the case")},
    {"rank", "R", N_("your diagnosis: the ranks that go wrong, such as 2 or 1,3, or `all`")},
    {"line", "L", N_("your diagnosis: the line in the program")},
    {"cause", "CAUSE", N_("your diagnosis: the cause")},
    {"causes", NULL, N_("list the causes, and what each means")},
    {"hint", NULL, N_("a hint, then another")},
    {"check", NULL, N_("check whether your program is repaired, on several numbers of ranks")},
    {"give-up", NULL, N_("show the answer; later diagnoses earn no points")},
    {"reset", NULL, N_("put the program back as it was; yours is kept")},
    {"json", "FILE", N_("without a number: write your progress to this file, as JSON")},
    {0},
};

const struct vl_command vl_command_clinic = {
    .name = "clinic",
    .takes = "[N]",
    .least = 0,
    .most = 1,
    .summary = N_("Find out what is wrong with small programs on many ranks, and repair them."),
    .flags = flags,
    .run = run,
};
