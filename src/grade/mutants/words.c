#include "grade/mutants/words.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *code, *sentence;
} kinds[VL_MUTATION_KINDS] = {
    [VL_MUTATION_SIGN] = {"wrong_sign", N_("A sign is wrong: a plus where a minus belongs, or the "
                                           "other way round.")},
    [VL_MUTATION_INVERSE] = {"wrong_operation",
                             N_("Something is multiplied where it should be divided, or the "
                                "other way round.")},
    [VL_MUTATION_BOUND] = {"off_by_one", N_("A comparison is off by one: it includes its limit "
                                            "where it should not, or the other way round.")},
    [VL_MUTATION_CONDITION] = {"wrong_condition",
                               N_("A condition is the wrong way round, missing or never true.")},
    [VL_MUTATION_NUMBER] = {"wrong_constant",
                            N_("A number that is written out is not the right one.")},
    [VL_MUTATION_TERM] = {"missing_term", N_("A term or a factor is missing.")},
    [VL_MUTATION_VARIABLE] = {"wrong_variable",
                              N_("One variable is used where another one belongs.")},
    [VL_MUTATION_INDEX] = {"wrong_index",
                           N_("An index, or a count, is one too high or one too low.")},
    [VL_MUTATION_ARGUMENTS] = {"arguments_exchanged", N_("Two arguments have changed places.")},
    [VL_MUTATION_TRANSPOSED] = {"wrong_transpose",
                                N_("A matrix is transposed where it should not be, or the "
                                   "other way round.")},
    [VL_MUTATION_WRITTEN] = {"wrong_assignment",
                             N_("A value is overwritten where it should be added to, or the "
                                "other way round.")},
    [VL_MUTATION_STEP] = {"missing_step", N_("A step is missing.")},
    [VL_MUTATION_ORDER] = {"wrong_order", N_("Two steps are in the wrong order.")},
    [VL_MUTATION_NARROW] = {"narrow_type", N_("Something is computed in a type that is too narrow: "
                                              "it overflows, or is rounded.")},
    [VL_MUTATION_JUMP] = {"wrong_jump", N_("A loop goes on where it should end, or ends where it "
                                           "should go on.")},
};

const char *vl_mutant_code(enum vl_mutation_kind kind)
{
    return kinds[kind].code;
}

char *vl_mutant_words(const struct vl_mutant *mutant)
{
    const char *sentence = _(kinds[mutant->kind].sentence);
    const char *doubt = _(
        "Small changes were tried until the same numbers came out. Your mistake may be another one.");
    if (mutant->names[0] == '\0')
        return vl_text_format("%s %s", sentence, doubt);
    if (mutant->missing)
        return vl_text_format(
            _("The result is what it would be without a term or a factor with %s in it: "
              "is it missing, or rounded away?"),
            mutant->names);
    char *place = vl_text_format(_("%1$s Look at where you use %2$s."), sentence, mutant->names);
    char *words = place != NULL ? vl_text_format("%s %s", place, doubt) : NULL;
    free(place);
    return words;
}

char *vl_repair_place_words(const char *where)
{
    return vl_text_format(
        _("Look at `%s`: with one small change there, all cases of this function are right."),
        where);
}

char *vl_repair_places_words(const char *where)
{
    return vl_text_format(
        _("Look at `%s`: with one small change at one of these places, all cases of "
          "this function are right."),
        where);
}

char *vl_repair_words(const struct vl_mutant *mutant, const char *file)
{
    char *where = vl_text_format("%s:%zu", file, mutant->line), *words = NULL;
    if (where != NULL && mutant->piece[0] != '\0')
        words = vl_text_format(_("Look at `%1$s` in `%2$s`: with one small change there, all cases "
                                 "of this function are right."),
                               mutant->piece, where);
    else if (where != NULL)
        words = vl_repair_place_words(where);
    free(where);
    return words;
}
