#include "ranks/senders.h"

#include "base/number.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOLD 4 /* places, those with the most bytes */

struct place {
    char *where; /* "zero.c:57"; "" where the submission makes no such call itself */
    uint32_t operation;
    double bytes;
};

struct places {
    struct place place[VL_BEACON_SENDERS];
    size_t count;
};

/* The outer call if the submission makes it, else the inner one. Of what neither is, the contract. */
static char *find(const struct vl_beacon_sender *sender, const struct vl_hang_places *places,
                  uint32_t *operation)
{
    char *where = NULL;
    *operation = sender->outer.operation;
    if (sender->outer.operation != VL_OP_NONE)
        where = places->find(places->context, sender->outer.address);
    if (where != NULL)
        return where;
    where = places->find(places->context, sender->call.address);
    if (where != NULL || sender->outer.operation == VL_OP_NONE)
        *operation = sender->call.operation;
    return where != NULL ? where : strdup("");
}

static void add(struct places *all, char *where, uint32_t operation, double bytes)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->place[i].where, where) == 0 && all->place[i].operation == operation) {
            all->place[i].bytes += bytes;
            free(where);
            return;
        }
    if (all->count == VL_BEACON_SENDERS)
        free(where);
    else
        all->place[all->count++] = (struct place){where, operation, bytes};
}

static int by_bytes(const void *one, const void *other)
{
    const double x = ((const struct place *)one)->bytes, y = ((const struct place *)other)->bytes;
    return (x < y) - (x > y);
}

/* "vl_all_reduce_start (zero.c:57) 2,048, MPI_Isend (ring.c:30) 1,024, vl_all_gather_start 12" */
static char *list(const struct places *all)
{
    char *text = NULL, number[VL_NUMBER_TEXT];
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL)
        return NULL;
    for (size_t i = 0; i < all->count && i < TOLD; i++) {
        const struct place *place = &all->place[i];
        fprintf(out, *place->where != '\0' ? "%s%s (%s) %s" : "%s%s%s %s", i > 0 ? ", " : "",
                vl_operation_name(place->operation), place->where,
                vl_number_text(number, place->bytes, 0));
    }
    bool whole = !ferror(out);
    if (fclose(out) == 0 && whole)
        return text;
    free(text);
    return NULL;
}

static bool is_any_known(const struct places *all)
{
    size_t i = 0;
    while (i < all->count && *all->place[i].where == '\0')
        i++;
    return i < all->count;
}

static char *say(const struct places *all)
{
    if (all->count == 1)
        return vl_text_format(_("All of them are sent by %1$s (%2$s)."),
                              vl_operation_name(all->place[0].operation), all->place[0].where);
    char *lines = list(all);
    /* TRANSLATORS: %s is a list of calls, each with a number: "MPI_Isend (ring.c:30) 1,024, ..." */
    char *text =
        lines != NULL ? vl_text_format(_("Bytes by the call that sends them: %s."), lines) : NULL;
    free(lines);
    return text;
}

enum vl_status vl_senders_say(char **sentence, const struct vl_beacon *const *beacons, int ranks,
                              const struct vl_hang_places *places)
{
    struct places all = {.count = 0};
    *sentence = NULL;
    for (int rank = 0; rank < ranks; rank++)
        for (uint32_t i = 0; i < beacons[rank]->senders_used && i < VL_BEACON_SENDERS; i++) {
            const struct vl_beacon_sender *sender = &beacons[rank]->sender[i];
            uint32_t operation;
            char *where = find(sender, places, &operation);
            if (where != NULL)
                add(&all, where, operation, (double)sender->bytes);
        }
    qsort(all.place, all.count, sizeof *all.place, by_bytes);
    const bool known = is_any_known(&all);
    if (known)
        *sentence = say(&all);
    enum vl_status status = known && *sentence == NULL ? VL_ENOMEM : VL_OK;
    for (size_t i = 0; i < all.count; i++)
        free(all.place[i].where);
    return status;
}
