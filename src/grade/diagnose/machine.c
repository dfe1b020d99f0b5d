#include "grade/diagnose/machine.h"

#include "base/text.h"
#include "grade/diagnose/edit.h"
#include "grade/mutants/schema.h"
#include "grade/mutants/words.h"

#include <stdlib.h>
#include <string.h>

/* The functions that are searched, each with all its mutants. */
struct machine {
    const struct vl_lab *lab;
    struct vl_reference reference;
    struct vl_schema *schemata;
    size_t schema_count;
    struct vl_mistakes mistakes;
};

static bool is_unexplained(const struct vl_seen_case *seen)
{
    return !seen->passed && seen->outputs != NULL && seen->cause.code == NULL &&
           !seen->c->sealed; /* of a guess, a small change of the code says nothing */
}

/* The file of the reference that has it; NULL for a composed case, or if its source is missing. */
static const struct vl_reference_file *file_of(const struct machine *machine, const char *function)
{
    for (size_t f = 0; f < machine->lab->function_count; f++) {
        const struct vl_lab_function *one = &machine->lab->functions[f];
        if (one->file == NULL || strcmp(one->name, function) != 0)
            continue;
        for (size_t i = 0; i < machine->reference.count; i++) {
            const struct vl_reference_file *file = &machine->reference.files[i];
            if (strcmp(file->name, one->file) == 0 && file->compiled == 0)
                return file;
        }
    }
    return NULL;
}

static enum vl_status add_mistakes(struct machine *machine, const struct vl_schema *schema,
                                   const char *function, size_t file)
{
    struct vl_mistakes *all = &machine->mistakes;
    struct vl_mistake *more = realloc(all->list, (all->count + schema->count) * sizeof *more);
    if (more == NULL)
        return VL_ENOMEM;
    all->list = more;
    for (size_t i = 0; i < schema->count; i++) {
        const struct vl_mutant *mutant = &schema->list[i];
        struct vl_mistake *mistake = &all->list[all->count++];
        *mistake = (struct vl_mistake){.function = strdup(function),
                                       .name = strdup(""),
                                       .code = strdup(""),
                                       .kind = vl_mutant_code(mutant->kind),
                                       .also = strdup(""),
                                       .message = vl_mutant_words(mutant),
                                       .witness = VL_WITNESS_OUTPUT,
                                       .file = file,
                                       .text = schema->text,
                                       .mutant = (unsigned)i + 1};
        if (!mistake->function || !mistake->name || !mistake->code || !mistake->also ||
            !mistake->message)
            return VL_ENOMEM;
    }
    return VL_OK;
}

/* A reference that cannot be read so has no mutants; a test sees that there is none. */
static enum vl_status add_function(struct machine *machine, const char *function)
{
    const struct vl_reference_file *file = file_of(machine, function);
    if (file == NULL)
        return VL_OK;
    struct vl_schema *schema = &machine->schemata[machine->schema_count++];
    enum vl_status status = vl_schema_make(schema, file->text, function);
    if (status == VL_OK && schema->count > 0)
        status = add_mistakes(machine, schema, function, (size_t)(file - machine->reference.files));
    return status == VL_ENOMEM ? status : VL_OK;
}

static bool met_before(const struct vl_seen_case *cases, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (is_unexplained(&cases[k]) && strcmp(cases[k].c->function, cases[i].c->function) == 0)
            return true;
    return false;
}

/* Has an inspector found what is wrong in another case of this function? Then nothing is guessed. */
static bool is_inspected(const struct vl_seen_case *cases, size_t count, const char *function)
{
    for (size_t i = 0; i < count; i++)
        if (cases[i].inspected && strcmp(cases[i].c->function, function) == 0)
            return true;
    return false;
}

static enum vl_status open_machine(struct machine *machine, const struct vl_seen_case *cases,
                                   size_t count, const char *student)
{
    enum vl_status status = vl_reference_read(&machine->reference, machine->lab, student);
    machine->schemata = calloc(count + 1, sizeof *machine->schemata);
    if (status == VL_OK && machine->schemata == NULL)
        status = VL_ENOMEM;
    for (size_t i = 0; i < count && status == VL_OK; i++)
        if (is_unexplained(&cases[i]) && !met_before(cases, i) &&
            !is_inspected(cases, count, cases[i].c->function))
            status = add_function(machine, cases[i].c->function);
    return status;
}

enum vl_status vl_machine_causes_find(struct vl_seen_case *cases, size_t count,
                                      const struct vl_origin *origin,
                                      const struct vl_toolchain *toolchain,
                                      const struct vl_sandbox *sandbox, const char *scratch,
                                      double until)
{
    struct machine machine = {.lab = toolchain->lab};
    enum vl_status status = open_machine(&machine, cases, count, origin->student);
    if (status == VL_OK && machine.mistakes.count > 0)
        status = vl_causes_find(cases, count, origin, &machine.mistakes, toolchain, sandbox,
                                scratch, &vl_search_by_machine, until);
    vl_mistakes_free(&machine.mistakes);
    for (size_t i = 0; i < machine.schema_count; i++)
        vl_schema_free(&machine.schemata[i]);
    free(machine.schemata);
    vl_reference_free(&machine.reference);
    return status;
}
