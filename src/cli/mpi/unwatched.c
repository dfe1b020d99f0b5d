#include "cli/mpi/unwatched.h"

#include "base/text.h"
#include "wire/beacon.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
    uint32_t kind;
    const char *code;
    const char *name; /* in a list */
} all[] = {
    /* TRANSLATORS: parts of a list that ends "The program also used what is not watched: %s." */
    {VL_UNWATCHED_SPAWN, "spawn", N_("other programs (MPI_Comm_spawn or MPI_Comm_connect)")},
    {VL_UNWATCHED_FILES, "files", N_("files (MPI_File_open)")},
    {VL_UNWATCHED_WINDOWS, "windows", N_("one-sided communication")},
    {VL_UNWATCHED_THREADS, "threads", NULL}, /* has a sentence of its own */
};
#define KINDS (sizeof all / sizeof *all)

static void tell_list(const struct vl_terminal *terminal, uint32_t kinds)
{
    char *list = NULL;
    size_t length;
    FILE *stream = open_memstream(&list, &length);
    for (size_t i = 0; stream != NULL && i < KINDS; i++)
        if ((kinds & all[i].kind) != 0 && all[i].name != NULL)
            fprintf(stream, "%s%s", ftell(stream) > 0 ? ", " : "", _(all[i].name));
    if (stream != NULL && fclose(stream) == 0)
        vl_terminal_sentence(terminal, VL_STYLE_DIM,
                             _("The program also used what is not watched: %s."), list);
    free(list);
}

void vl_unwatched_tell(const struct vl_terminal *terminal, uint32_t kinds)
{
    if ((kinds & VL_UNWATCHED_THREADS) != 0)
        vl_terminal_sentence(terminal, VL_STYLE_PLAIN, "%s",
                             _("Once a second thread of a rank called MPI, the program was no "
                               "longer watched."));
    else if (kinds != 0)
        tell_list(terminal, kinds);
}

json_t *vl_unwatched_json(uint32_t kinds)
{
    json_t *list = json_array();
    for (size_t i = 0; i < KINDS; i++)
        if ((kinds & all[i].kind) != 0)
            json_array_append_new(list, json_string(all[i].code));
    return list;
}
