#include "clinic/credit.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NEAR         2 /* lines */
#define EARLIER_COST 5
#define REPORT_COST  15

int vl_place_line(const char *program, const char *place)
{
    const char *found = strstr(program, place);
    int line = found != NULL;
    for (const char *at = program; found != NULL && at < found; at++)
        line += *at == '\n';
    return line;
}

/* A line without the space around it. */
struct words {
    const char *begin;
    size_t length;
};

/* 'at' moves to the next line; false after the last one. */
static bool next_line(struct words *words, const char **at)
{
    if (**at == '\0')
        return false;
    size_t length = strcspn(*at, "\n");
    const char *begin = *at, *end = *at + length;
    begin += strspn(begin, " \t");
    while (end > begin && strchr(" \t\r", end[-1]) != NULL)
        end--;
    *words = (struct words){begin, begin < end ? (size_t)(end - begin) : 0};
    *at += length + ((*at)[length] == '\n');
    return true;
}

static bool is_same(const struct words *one, const struct words *other)
{
    return one->length == other->length && memcmp(one->begin, other->begin, one->length) == 0;
}

/* How many of the first 'lines' of a text have these words, or, with 'wanted', the line of that one of them. */
static int count_lines(const char *text, int lines, const struct words *same, int wanted)
{
    struct words words;
    int count = 0;
    for (int line = 1; line <= lines && next_line(&words, &text); line++)
        if (is_same(&words, same) && ++count == wanted)
            return line;
    return wanted > 0 ? 0 : count;
}

int vl_line_as_given(const char *given, const char *own, int line)
{
    struct words words = {0};
    const char *at = own;
    int n = 0;
    while (n < line && next_line(&words, &at))
        n++;
    if (n < line || words.length == 0)
        return 0;
    return count_lines(given, INT_MAX, &words, count_lines(own, line, &words, 0));
}

static uint32_t ranks_of(const struct vl_clinic_case *item, uint32_t who)
{
    return who & (VL_CLINIC_RANK(item->ranks) - 1);
}

static int credit_of_ranks(const struct vl_clinic_case *item, uint32_t who)
{
    uint32_t right = ranks_of(item, item->who), named = ranks_of(item, who);
    if (named == right && (who == VL_CLINIC_ALL || who == named))
        return VL_CREDIT_RANKS;
    return (named & right) != 0 ? VL_CREDIT_RANKS / 2 : 0;
}

static int credit_of_line(const struct vl_clinic_case *item, const char *program, int line)
{
    int best = 0;
    for (int i = 0; i < VL_CLINIC_PLACES && item->places[i] != NULL; i++) {
        int right = vl_place_line(program, item->places[i]);
        int credit = 0;
        if (right > 0 && line == right)
            credit = VL_CREDIT_LINE;
        else if (right > 0 && abs(line - right) <= NEAR)
            credit = VL_CREDIT_LINE / 2;
        best = credit > best ? credit : best;
    }
    return best;
}

static int credit_of_cause(const struct vl_clinic_case *item, enum vl_cause cause)
{
    if (cause == item->cause)
        return VL_CREDIT_CAUSE;
    return cause != VL_CAUSE_NONE && cause == item->close ? VL_CREDIT_CAUSE / 2 : 0;
}

struct vl_credit vl_credit_of(const struct vl_clinic_case *item, const char *program,
                              const struct vl_diagnosis *diagnosis)
{
    return (struct vl_credit){.ranks = credit_of_ranks(item, diagnosis->who),
                              .line = credit_of_line(item, program, diagnosis->line),
                              .cause = credit_of_cause(item, diagnosis->cause)};
}

static int sum_of(const struct vl_credit *credit)
{
    return credit->ranks + credit->line + credit->cause;
}

bool vl_credit_is_whole(const struct vl_credit *credit)
{
    return sum_of(credit) == VL_CREDIT_WHOLE;
}

int vl_credit_points(const struct vl_credit *credit, int earlier, bool report)
{
    int sum = sum_of(credit);
    int points = sum - (report ? REPORT_COST : 0);
    points = earlier < sum ? points - EARLIER_COST * earlier : 0;
    return points > sum / 3 ? points : sum / 3;
}
