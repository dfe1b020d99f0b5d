#include "grade/patterns/product.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIZES_OF_TWO 3 /* in a product for which only two cases speak */
#define SIZES_OF_ALL 4 /* in one of more columns than these: there are too many that are longer */
#define MOST_COLUMNS 40
#define SAME         1e-9 /* relative; figures are float64 or whole */
#define PARTS        24   /* the factor is some of these parts of one, in lowest terms ... */
#define MOST_FACTOR  64   /* ... and no more of those: 3/8 is plain, and 261/8 is not */
#define FEW_COLUMNS  24   /* with more of them, products have no divisor */
#define LARGE        1e4  /* of two cases, for a divisor */
#define TWO_FIT      2    /* which is a doubt */

/* Is there one like it? Then neither of them is told from the other. */
static bool is_known(const struct vl_product_search *search, const double *value)
{
    for (size_t k = 0; k < search->column_count; k++)
        if (memcmp(search->columns[k].value, value, search->case_count * sizeof *value) == 0)
            return true;
    return false;
}

void vl_product_keep(struct vl_product_search *search, const char *name, const char *form)
{
    struct vl_product_column *column = &search->columns[search->column_count];
    bool is_size = false, negative = false;
    for (size_t i = 0; i < search->case_count; i++) {
        is_size |= column->value[i] != 0 && column->value[i] != 1;
        negative |= !(column->value[i] >= 0);
    }
    column->name = name;
    column->form = form;
    if (is_size && !negative && !is_known(search, column->value) &&
        search->column_count + 1 < VL_PRODUCT_COLUMNS)
        search->column_count++;
}

static bool is_whole(double number)
{
    return fabs(number - round(number)) <= SAME * number;
}

/* Below the line of a factor's fraction in lowest terms: it divides PARTS. PARTS if there is none. */
static int below_the_line(double factor)
{
    int below = 1;
    while (below < PARTS && !(PARTS % below == 0 && is_whole(factor * below)))
        below++;
    return below;
}

/* Made of 2, 3, 5 and 7 only. Other fractions come by chance, of sizes that never change. */
static bool is_counted(long above)
{
    for (int prime = 2; prime <= 7; prime++)
        while (above > 0 && above % prime == 0)
            above /= prime;
    return above == 1;
}

/* A factor that a formula may have. */
static bool is_plain(const struct vl_product_search *search, double factor)
{
    double size = fabs(factor);
    int below = search->case_count > 2 ? below_the_line(size) : 1;
    double above = size * below;
    return above >= 0.5 && above <= MOST_FACTOR && is_whole(above) &&
           (below == 1 || is_counted(lround(above)));
}

/* Does the product at this depth give every number with one factor, and is it not the same in all? */
static bool explains(struct vl_product_search *search, int depth)
{
    const double *value = search->value[depth];
    double factor = search->number[0] / value[0];
    bool differs = false;
    for (size_t i = 1; i < search->case_count; i++) {
        if (!(fabs(search->number[i] - factor * value[i]) <= SAME * fabs(search->number[i])))
            return false;
        differs |= value[i] != value[0];
    }
    search->product.factor = factor;
    bool is_constant = depth == 0 && search->case_count > 2;
    return (differs || is_constant) && is_plain(search, factor);
}

static void try_product(struct vl_product_search *search, int depth)
{
    if (!explains(search, depth))
        return;
    search->found = search->product;
    search->fits++;
}

/* Is this one of the product's sizes? Dividing by it would only make the product a smaller one. */
static bool is_in(const struct vl_product *product, const struct vl_product_column *column)
{
    for (int k = 0; k < product->size_count; k++)
        if (product->times[k] == column)
            return true;
    return false;
}

static void try_divided(struct vl_product_search *search)
{
    int depth = search->product.size_count;
    for (size_t k = 0; k < search->column_count; k++) {
        const struct vl_product_column *column = &search->columns[k];
        if (is_in(&search->product, column))
            continue;
        for (size_t i = 0; i < search->case_count; i++)
            search->value[depth + 1][i] = search->value[depth][i] / column->value[i];
        search->product.over = column;
        try_product(search, depth + 1);
    }
    search->product.over = NULL;
}

/* May a column be in a product twice? A size may; one less than a size, or a share of it, may not. */
static bool may_return(const struct vl_product_column *column)
{
    return strcmp(column->form, "%s") == 0;
}

/* Multiply the product by 'more' further sizes, in every way that uses this column or later ones. */
static void try_products(struct vl_product_search *search, size_t from, int more)
{
    int depth = search->product.size_count;
    if (more == 0) {
        search->divides ? try_divided(search) : try_product(search, depth);
        return;
    }
    for (size_t k = from; k < search->column_count && search->fits < TWO_FIT; k++) {
        for (size_t i = 0; i < search->case_count; i++)
            search->value[depth + 1][i] = search->value[depth][i] * search->columns[k].value[i];
        search->product.times[search->product.size_count++] = &search->columns[k];
        try_products(search, may_return(&search->columns[k]) ? k : k + 1, more - 1);
        search->product.size_count--;
    }
}

/* Of two cases, small numbers are quotients by chance. */
static bool is_enough(const struct vl_product_search *search)
{
    return search->case_count > 2 ||
           fmin(fabs(search->number[0]), fabs(search->number[1])) >= LARGE;
}

bool vl_product_find(struct vl_product_search *search)
{
    int most = search->case_count <= 2               ? SIZES_OF_TWO
               : search->column_count > MOST_COLUMNS ? SIZES_OF_ALL
                                                     : VL_PRODUCT_SIZES;
    search->product = (struct vl_product){.factor = 0};
    search->fits = 0;
    for (size_t i = 0; i < search->case_count; i++)
        search->value[0][i] = 1;
    for (int divides = 0; divides <= 1 && search->case_count > 1; divides++) {
        search->divides = divides;
        if (divides && (search->column_count > FEW_COLUMNS || !is_enough(search)))
            break;
        for (int sizes = 0; sizes <= most && search->fits == 0; sizes++)
            try_products(search, 0, sizes);
    }
    return search->fits == 1;
}

/* Text so far, and a size behind a sign; fresh, NULL without memory. */
static char *add_text(char *before, const char *sign, const struct vl_product_column *column)
{
    const char *hole = strstr(column->form, "%s");
    char *text = NULL;
    if (before != NULL)
        text = vl_text_format("%s%s%.*s%s%s", before, sign, (int)(hole - column->form),
                              column->form, column->name, hole + 2);
    free(before);
    return text;
}

char *vl_product_text(const struct vl_product *product)
{
    double factor = fabs(product->factor);
    int below = below_the_line(factor);
    bool is_one = below == 1 && round(factor) == 1;
    bool starts = !is_one || product->size_count == 0; /* with the factor */
    char *text = !starts     ? vl_text_format("%s", "")
                 : below > 1 ? vl_text_format("%.0f/%d", round(factor * below), below)
                             : vl_text_format("%.0f", round(factor));
    for (int k = 0; k < product->size_count; k++)
        text = add_text(text, !starts && k == 0 ? "" : " × ", product->times[k]);
    return product->over != NULL ? add_text(text, " / ", product->over) : text;
}
