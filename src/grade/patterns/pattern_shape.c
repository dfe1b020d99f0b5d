/* Patterns by a size among the inputs: a multiple of the ranks, fewer than ranks, even, small. */
#include "grade/patterns/pattern_parts.h"

#include "base/text.h"

#define LEAST     2 /* cases on either side */
#define LEAST_ALL 5 /* fewer fall into even and odd ones by chance */

/* Is the function right at this size, if it is right for sizes of one kind only? */
typedef bool is_kind(int64_t size, int64_t ranks);

static bool is_multiple(int64_t size, int64_t ranks)
{
    return size % ranks == 0;
}

static bool is_enough_for_all(int64_t size, int64_t ranks)
{
    return size >= ranks;
}

static bool is_even(int64_t size, int64_t ranks)
{
    (void)ranks;
    return size % 2 == 0;
}

static bool is_power_of_two(int64_t size, int64_t ranks)
{
    (void)ranks;
    return size > 0 && (size & (size - 1)) == 0;
}

/* Is the size of this kind where the case passed, and only there? On more than one rank, where that makes
 * a difference. */
static bool parts(const struct vl_pattern_cases *cases, const char *name, is_kind *kind,
                  bool on_several)
{
    bool several = false;
    for (size_t i = 0; i < cases->count; i++) {
        const struct vl_facts *facts = &cases->list[i];
        int64_t size;
        if (!vl_facts_number(facts, name, &size) || facts->ranks < 1 || size < 0 ||
            kind(size, facts->ranks) != facts->passed)
            return false;
        several |= facts->passed && facts->ranks > 1 && size > 0;
    }
    return several || !on_several;
}

/* Is there more than one such size among the cases that passed, or those that failed? */
static bool differs(const struct vl_pattern_cases *cases, const char *name, bool passed)
{
    int64_t first = -1, size;
    for (size_t i = 0; i < cases->count; i++) {
        if (cases->list[i].passed != passed || !vl_facts_number(&cases->list[i], name, &size))
            continue;
        if (first >= 0 && size != first)
            return true;
        first = size;
    }
    return false;
}

/* The largest size that passes, if all that fail are at least twice as large; else -1. */
static int64_t largest_right(const struct vl_pattern_cases *cases, const char *name)
{
    int64_t right = -1, wrong = INT64_MAX, size;
    for (size_t i = 0; i < cases->count; i++) {
        if (!vl_facts_number(&cases->list[i], name, &size))
            return -1;
        if (cases->list[i].passed)
            right = size > right ? size : right;
        else
            wrong = size < wrong ? size : wrong;
    }
    return right > 0 && wrong / 2 >= right ? right : -1;
}

/* ---- by the ranks, too ---- */

static void say_of_ranks(struct vl_pattern *pattern, const struct vl_pattern_cases *cases,
                         const char *name)
{
    if (cases->failed >= 2 && parts(cases, name, is_multiple, true))
        vl_pattern_say(
            pattern, "only_multiples",
            _("Right where `%s` is a multiple of the ranks, wrong elsewhere: what is left "
              "over belongs to somebody, too."),
            name);
    else if ((cases->failed >= 2 || cases->passed >= 3) &&
             parts(cases, name, is_enough_for_all, true))
        vl_pattern_say(
            pattern, "fewer_than_ranks",
            _("Wrong only where `%s` is smaller than the number of ranks: some ranks get "
              "nothing then."),
            name);
}

/* ---- by the size alone ---- */

static void say_of_size(struct vl_pattern *pattern, const struct vl_pattern_cases *cases,
                        const char *name)
{
    if (cases->failed < LEAST || cases->passed < LEAST || cases->count < LEAST_ALL)
        return;
    int64_t right = largest_right(cases, name);
    if (parts(cases, name, is_even, false) && differs(cases, name, true) &&
        differs(cases, name, false))
        vl_pattern_say(pattern, "only_even", _("Right where `%s` is even, wrong where it is odd."),
                       name);
    else if (parts(cases, name, is_power_of_two, false))
        vl_pattern_say(pattern, "only_power_sizes",
                       _("Right where `%s` is a power of two, wrong elsewhere."), name);
    else if (right > 0)
        vl_pattern_say(pattern, "only_small",
                       _("Right where `%1$s` is at most %2$lld, wrong where it is larger."), name,
                       (long long)right);
}

/* ---- nothing, or one ---- */

/* A size where the function is right, or wrong, and it is the other way round wherever it is larger. */
static const struct edge {
    double size;
    bool right;
    const char *code, *sentence;
} edges[] = {
    {1, true, "only_one", N_("Right where `%s` is 1, wrong wherever it is larger.")},
    {1, false, "not_one", N_("Wrong where `%s` is 1, right wherever it is larger.")},
    {0, true, "only_none", N_("Right where `%s` is 0, wrong wherever it is larger.")},
    {0, false, "not_none", N_("Wrong where `%s` is 0, right wherever it is larger.")},
};

static bool is_edge(const struct edge *edge, const struct vl_pattern_cases *cases, const char *name)
{
    for (size_t i = 0; i < cases->count; i++) {
        double size;
        if (!vl_facts_size(&cases->list[i], name, &size) || size < edge->size ||
            ((size == edge->size) == edge->right) != cases->list[i].passed)
            return false;
    }
    return true;
}

static void say_of_edge(struct vl_pattern *pattern, const struct vl_pattern_cases *cases,
                        const char *name)
{
    for (size_t e = 0; e < sizeof edges / sizeof *edges && pattern->code == NULL; e++)
        if (cases->failed >= LEAST && cases->passed >= LEAST && is_edge(&edges[e], cases, name))
            vl_pattern_say(pattern, edges[e].code, _(edges[e].sentence), name);
}

/* ---- only above it ---- */

#define BY_CHANCE 1e-4 /* there are many sizes: that one of them fits must be no chance */

/* How all that failed lies above an edge. */
struct above {
    const char *name;
    double edge;
    size_t right; /* that lie there, too */
};

/* Were the failures drawn among all cases: how likely is it that all of them lie above the edge? */
static double chance(size_t above, size_t count, size_t failed)
{
    double p = 1;
    for (size_t i = 0; i < failed; i++)
        p *= (double)(above - i) / (double)(count - i);
    return p;
}

static bool lies_above(struct above *found, const struct vl_pattern_cases *cases, const char *name,
                       double edge)
{
    *found = (struct above){name, edge, 0};
    for (size_t i = 0; i < cases->count; i++) {
        double size;
        if (!vl_facts_size(&cases->list[i], name, &size) || size < edge ||
            (size == edge && !cases->list[i].passed))
            return false;
        found->right += cases->list[i].passed && size > edge;
    }
    size_t above = found->right + cases->failed;
    return found->right <= cases->failed && chance(above, cases->count, cases->failed) < BY_CHANCE;
}

/* The size above whose edge fewest are right. False if there is none, or if two are as good. */
static bool find_above(struct above *best, const struct vl_pattern_cases *cases)
{
    const struct vl_facts *any = &cases->list[0];
    size_t as_good = 0;
    for (size_t n = 0; n < any->number_count + any->size_count; n++) {
        const char *name =
            n < any->number_count ? any->numbers[n].name : any->sizes[n - any->number_count].name;
        struct above found;
        if (!lies_above(&found, cases, name, 1) && !lies_above(&found, cases, name, 0))
            continue;
        if (as_good == 0 || found.right < best->right) {
            *best = found;
            as_good = 1;
        } else if (found.right == best->right) {
            as_good++;
        }
    }
    return as_good == 1;
}

static void say_above(struct vl_pattern *pattern, const struct vl_pattern_cases *cases)
{
    struct above best;
    if (find_above(&best, cases))
        vl_pattern_say(pattern, "only_above",
                       _("It is wrong only where `%1$s` is larger than %2$d."), best.name,
                       (int)best.edge);
}

/* ---- the whole ---- */

typedef void say_function(struct vl_pattern *pattern, const struct vl_pattern_cases *cases,
                          const char *name);

/* Ask it of one size, and count whether it has something to say. */
static void ask(struct vl_pattern *pattern, size_t *fitting, const struct vl_pattern_cases *cases,
                say_function *say, const char *name)
{
    struct vl_pattern found = {0};
    if (!vl_pattern_is_choice(name))
        say(&found, cases, name);
    if (found.code == NULL)
        return;
    ++*fitting;
    vl_pattern_forget(pattern);
    *pattern = found;
}

/* Look at every size. If several fit, nothing tells which is the cause. */
static void look(struct vl_pattern *pattern, const struct vl_pattern_cases *cases,
                 say_function *say, bool in_tables)
{
    const struct vl_facts *any = &cases->list[0];
    size_t fitting = 0;
    for (size_t n = 0; n < any->number_count; n++)
        ask(pattern, &fitting, cases, say, any->numbers[n].name);
    for (size_t n = 0; in_tables && n < any->size_count; n++)
        ask(pattern, &fitting, cases, say, any->sizes[n].name);
    if (fitting > 1)
        vl_pattern_forget(pattern);
}

void vl_pattern_of_shape(struct vl_pattern *pattern, const struct vl_pattern_cases *cases)
{
    if (cases->passed < 1)
        return;
    look(pattern, cases, say_of_ranks, false);
    if (pattern->code == NULL)
        look(pattern, cases, say_of_size, false);
    if (pattern->code == NULL)
        look(pattern, cases, say_of_edge, true);
    if (pattern->code == NULL)
        say_above(pattern, cases);
}
