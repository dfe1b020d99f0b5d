/*
 * One term too much or too little in a figure, or one factor: in every case that failed, or in all of those
 * with one choice, it is off by the same product of sizes, or so many times too large (product.h). Or it is
 * nothing but such a product: a bound that takes effect, an operand that stands for all.
 */
#include "grade/patterns/pattern_parts.h"

#include "base/text.h"
#include "grade/patterns/product.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEW_SIZES 12 /* with more of them, one less than each makes too many products */
#define LEAST     3  /* failed cases with one choice */

/* Those failed cases that are looked at: all, or those with one value of a choice. */
struct some {
    const struct vl_pattern_cases *cases;
    const char *choice; /* NULL: all */
    int64_t value;
};

static bool is_among(const struct some *some, size_t i)
{
    const struct vl_facts *facts = &some->cases->list[i];
    int64_t value = 0;
    return !facts->passed &&
           (some->choice == NULL ||
            (vl_facts_number(facts, some->choice, &value) && value == some->value));
}

/* ---- sizes ---- */

static double plain(double size)
{
    return size;
}
static double less_one(double size)
{
    return size - 1;
}
/* What is not a rank's own, of an array that the ranks share. */
static double share_of_others(double size)
{
    return size > 0 ? 1 - 1 / size : 0;
}
/* How often something doubles until it is as large: the rounds of a tree. */
static double rounds(double size)
{
    return ceil(log2(size));
}

/* The value of a size in a case, of the ranks (NULL); 0 if it has none. */
static double size_of(const struct vl_facts *facts, const char *name)
{
    double value = 0;
    if (name == NULL)
        return facts->ranks;
    vl_facts_size(facts, name, &value);
    return value;
}

/* A column of a size, or of the ranks (NULL), or of something of it. */
static void add_column(struct vl_product_search *search, const struct some *some, const char *name,
                       const char *form, double (*of)(double size))
{
    struct vl_product_column *column = &search->columns[search->column_count];
    for (size_t i = 0, at = 0; i < some->cases->count && at < search->case_count; i++) {
        const struct vl_facts *facts = &some->cases->list[i];
        if (is_among(some, i))
            column->value[at++] = of(size_of(facts, name));
    }
    vl_product_keep(search, name != NULL ? name : _("ranks"), form);
}

static void add_columns(struct vl_product_search *search, const struct some *some,
                        const struct vl_facts *any, const char *form, double (*of)(double size))
{
    add_column(search, some, NULL, form, of);
    for (size_t k = 0; k < any->size_count; k++)
        add_column(search, some, any->sizes[k].name, form, of);
    for (size_t k = 0; k < any->number_count; k++)
        if (!vl_pattern_is_choice(any->numbers[k].name))
            add_column(search, some, any->numbers[k].name, form, of);
}

/* ---- words ---- */

enum what { TERM, FACTOR, WHOLE };

/* With the figure, the product, and, where only some cases are meant, the choice and its value. */
static const char *sentence_of(bool some, enum what what, double factor)
{
    if (what == FACTOR)
        return some ? N_("In every case that fails with `%3$s` = %4$lld, `%1$s` is %2$s times "
                         "what it should be.")
                    : N_("In every case that fails, `%1$s` is %2$s times what it should be.");
    if (what == WHOLE)
        return some
                   ? N_("In every case that fails with `%3$s` = %4$lld, `%1$s` is just %2$s: "
                        "look at what the rest of the formula does there.")
                   : N_("In every case that fails, `%1$s` is just %2$s: look at what the rest of the "
                        "formula does there.");
    if (factor > 0)
        return some ? N_("In every case that fails with `%3$s` = %4$lld, `%1$s` is too large "
                         "by %2$s: look for a term that counts too much.")
                    : N_("In every case that fails, `%1$s` is too large by %2$s: look for a term "
                         "that counts too much.");
    return some ? N_("In every case that fails with `%3$s` = %4$lld, `%1$s` is too small by "
                     "%2$s: look for a term that is missing or counts too little.")
                : N_("In every case that fails, `%1$s` is too small by %2$s: look for a term that "
                     "is missing or counts too little.");
}

static void say(struct vl_pattern *pattern, const struct some *some, const char *figure,
                enum what what, const struct vl_product *product)
{
    char *text = vl_product_text(product);
    pattern->code = what == FACTOR        ? "wrong_factor"
                    : what == WHOLE       ? "only_a_product"
                    : product->factor > 0 ? "extra_term"
                                          : "lost_term";
    if (text != NULL)
        pattern->message =
            vl_text_format(_(sentence_of(some->choice != NULL, what, product->factor)), figure,
                           text, some->choice != NULL ? some->choice : "", (long long)some->value);
    free(text);
}

/* ---- the whole ---- */

/* Take the failed cases; false unless the same figure is wrong first in all of them. */
static bool take_cases(struct vl_product_search *search, const struct some *some, enum what what,
                       const struct vl_facts **any)
{
    *any = NULL;
    search->case_count = search->column_count = 0;
    for (size_t i = 0; i < some->cases->count && search->case_count < VL_PRODUCT_CASES; i++) {
        const struct vl_facts *facts = &some->cases->list[i];
        if (!is_among(some, i))
            continue;
        double number = what == TERM     ? facts->figure - facts->right_figure
                        : what == FACTOR ? facts->figure / facts->right_figure
                                         : facts->figure;
        if (facts->wrong_figure[0] == '\0' || !isfinite(number) ||
            (what == WHOLE && facts->metered) || /* no formula gives it */
            (*any != NULL && strcmp((*any)->wrong_figure, facts->wrong_figure) != 0))
            return false;
        *any = *any != NULL ? *any : facts;
        search->number[search->case_count++] = number;
    }
    return search->case_count >= (some->choice != NULL ? LEAST : 2);
}

static void look_at(struct vl_pattern *pattern, struct vl_product_search *search,
                    const struct some *some, enum what what)
{
    const struct vl_facts *any;
    if (!take_cases(search, some, what, &any))
        return;
    add_columns(search, some, any, "%s", plain);
    add_column(search, some, NULL, "ceil(log2(%s))", rounds);
    if (what == TERM) /* as a factor, any count that lacks a rank's own would be one */
        add_column(search, some, NULL, "(1 - 1/%s)", share_of_others);
    if (search->column_count <= FEW_SIZES)
        add_columns(search, some, any, "(%s - 1)", less_one);
    if (vl_product_find(search))
        say(pattern, some, any->wrong_figure, what, &search->found);
}

/* The cases with each value of each choice. */
static void look_at_choices(struct vl_pattern *pattern, struct vl_product_search *search,
                            const struct vl_pattern_cases *cases, enum what what)
{
    for (size_t i = 0; i < cases->count && pattern->code == NULL; i++) {
        const struct vl_facts *facts = &cases->list[i];
        for (size_t n = 0; n < facts->number_count && !facts->passed && pattern->code == NULL;
             n++) {
            const struct vl_fact_number *number = &facts->numbers[n];
            const struct some some = {cases, number->name, number->value};
            if (vl_pattern_is_kind(number->name))
                look_at(pattern, search, &some, what);
        }
    }
}

void vl_pattern_of_term(struct vl_pattern *pattern, const struct vl_pattern_cases *cases)
{
    struct vl_product_search *search = malloc(sizeof *search);
    const struct some all = {cases, NULL, 0};
    for (enum what what = TERM; what <= WHOLE && search != NULL; what++)
        if (pattern->code == NULL)
            look_at(pattern, search, &all, what);
    for (enum what what = TERM; what <= WHOLE && search != NULL; what++)
        if (pattern->code == NULL)
            look_at_choices(pattern, search, cases, what);
    free(search);
}
