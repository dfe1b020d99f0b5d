#include "grade/mutants/schema_writer.h"

#include <stdlib.h>

#define LIST_MOST 4000 /* mutants: what has more has no schema */

void vl_writer_put(struct vl_writer *w, size_t first, size_t last)
{
    vl_tokens_put(w->out, w->tokens, first, last);
}

bool vl_writer_is(const struct vl_writer *w, size_t i, const char *word)
{
    return vl_token_is(w->tokens, i, word);
}

size_t vl_writer_list(struct vl_writer *w, const struct vl_mutation *m, size_t first, size_t last)
{
    struct vl_schema *schema = w->schema;
    if (schema->count == LIST_MOST) {
        w->status = VL_EFORMAT;
        return 0;
    }
    struct vl_mutant *more = realloc(schema->list, (schema->count + 1) * sizeof *more);
    struct vl_mutant mutant = vl_mutant_of(w->tokens, &w->scope, w->file, m, first, last);
    if (more != NULL)
        schema->list = more;
    if (more == NULL || mutant.names == NULL || mutant.piece == NULL) {
        w->status = VL_ENOMEM;
        vl_mutant_free(&mutant);
        return 0;
    }
    schema->list[schema->count++] = mutant;
    return schema->count;
}

size_t vl_writer_list_order(struct vl_writer *w, size_t first, size_t last)
{
    return vl_writer_list(w, &(struct vl_mutation){.kind = VL_MUTATION_ORDER}, first, last);
}

static void put_mutated(struct vl_writer *w, const struct vl_mutation *m, size_t first, size_t last)
{
    vl_writer_put(w, first, m->first);
    fprintf(w->out, "%s ", m->text);
    vl_writer_put(w, m->last, last);
}

static bool mutate(struct vl_mutations *mutations, struct vl_writer *w, vl_mutate_fn *how,
                   size_t first, size_t last)
{
    *mutations = (struct vl_mutations){0};
    how(mutations, w->tokens, &w->scope, first, last);
    if (mutations->failed)
        w->status = VL_ENOMEM;
    return !mutations->failed;
}

void vl_writer_expression(struct vl_writer *w, vl_mutate_fn *how, size_t first, size_t last,
                          size_t from, size_t to)
{
    struct vl_mutations mutations;
    fputs("( ", w->out);
    if (mutate(&mutations, w, how, first, last))
        for (size_t i = 0; i < mutations.count && w->status == VL_OK; i++) {
            fprintf(w->out, VL_MUTANT_CHOSEN " == %zuu ? ( ",
                    vl_writer_list(w, &mutations.list[i], from, to));
            put_mutated(w, &mutations.list[i], first, last);
            fputs(") : ", w->out);
        }
    fputs("( ", w->out);
    vl_writer_put(w, first, last);
    fputs(") ) ", w->out);
    vl_mutations_free(&mutations);
}

void vl_writer_statement(struct vl_writer *w, size_t first, size_t last)
{
    struct vl_mutations mutations;
    fputs("{ ", w->out);
    if (mutate(&mutations, w, vl_mutate_statement, first, last))
        for (size_t i = 0; i < mutations.count && w->status == VL_OK; i++) {
            fprintf(w->out, "if ( " VL_MUTANT_CHOSEN " == %zuu ) ",
                    vl_writer_list(w, &mutations.list[i], first, last));
            put_mutated(w, &mutations.list[i], first, last);
            fputs("; else ", w->out);
        }
    vl_writer_put(w, first, last);
    fputs("; }\n", w->out);
    vl_mutations_free(&mutations);
}

size_t vl_writer_end_of(const struct vl_writer *w, size_t i, const char *mark, const char * or)
{
    while (i < w->tokens->count && !vl_writer_is(w, i, mark) && !vl_writer_is(w, i, or))
        i = w->tokens->list[i].partner > i ? w->tokens->list[i].partner + 1 : i + 1;
    return i;
}
