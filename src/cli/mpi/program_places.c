#include "cli/mpi/program_places.h"

#include "base/path.h"
#include "cli/mpi/tool_output.h"
#include "wire/watched.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An address as the file calls it that the code came from. */
struct origin {
    char path[PATH_MAX];
    uint64_t place;
};

static bool find_in_rank(struct origin *origin, const struct vl_program_places *places, int rank,
                         uint64_t address)
{
    char name[PATH_MAX], line[PATH_MAX + 80];
    uint64_t begin, end, bias;
    int length = 0;
    bool found = false;
    snprintf(name, sizeof name, "%s/" VL_WATCHED_MODULES, places->folder, rank);
    FILE *stream = fopen(name, "re");
    while (stream != NULL && !found && fgets(line, sizeof line, stream) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "%" SCNx64 " %" SCNx64 " %" SCNx64 " %n", &begin, &end, &bias, &length) !=
            3)
            continue;
        found = address >= begin && address < end;
    }
    if (stream != NULL)
        fclose(stream);
    if (found) {
        snprintf(origin->path, sizeof origin->path, "%s", line + length);
        origin->place = address - bias;
    }
    return found;
}

/* In no rank, or in several with different code there: false. */
static bool find_origin(struct origin *origin, const struct vl_program_places *places,
                        uint64_t address)
{
    struct origin other;
    bool found = false;
    for (int rank = 0; rank < places->ranks; rank++) {
        if (!find_in_rank(&other, places, rank, address))
            continue;
        if (found && (other.place != origin->place || strcmp(other.path, origin->path) != 0))
            return false;
        *origin = other;
        found = true;
    }
    return found;
}

/* As seen from here if it lies below; else its name alone. */
static char *short_of(const char *line)
{
    char *shown = vl_path_shown(line);
    const char *slash = shown != NULL && shown[0] == '/' ? strrchr(shown, '/') : NULL;
    if (slash != NULL)
        memmove(shown, slash + 1, strlen(slash + 1) + 1);
    return shown;
}

/* "solver/ring.c:41", as a person would write it; NULL without debug information. */
static char *line_of(const struct origin *origin)
{
    char place[24];
    /* A return address points after the call. */
    snprintf(place, sizeof place, "0x%" PRIx64, origin->place - 1);
    char *const words[] = {(char *)"addr2line", (char *)"-e", (char *)origin->path, place, NULL};
    char *line = vl_tool_output(words), *shown = NULL;
    if (line != NULL)
        line[strcspn(line, "\n")] = '\0';
    char *colon = line != NULL ? strrchr(line, ':') : NULL;
    if (colon != NULL && line[0] != '?' && colon[1] != '?' && colon[1] != '0') {
        colon[strcspn(colon, " ")] = '\0'; /* without "(discriminator 3)" */
        shown = short_of(line);
    }
    free(line);
    return shown;
}

static char *describe(struct vl_program_places *places, const struct origin *origin)
{
    char *line = line_of(origin);
    if (line != NULL)
        return line;
    places->lacks_lines = true;
    const char *slash = strrchr(origin->path, '/');
    return strdup(slash != NULL ? slash + 1 : origin->path);
}

static void keep(struct vl_program_places *places, const struct origin *origin, const char *text)
{
    struct vl_program_place kept = {
        .place = origin->place, .path = strdup(origin->path), .text = strdup(text)};
    if (kept.path != NULL && kept.text != NULL && places->count < VL_PROGRAM_PLACES) {
        places->known[places->count++] = kept;
        return;
    }
    free(kept.path);
    free(kept.text);
}

char *vl_program_place(void *context, uint64_t address)
{
    struct vl_program_places *places = context;
    struct origin origin;
    if (!find_origin(&origin, places, address))
        return NULL;
    for (size_t i = 0; i < places->count; i++)
        if (places->known[i].place == origin.place &&
            strcmp(places->known[i].path, origin.path) == 0)
            return strdup(places->known[i].text);
    char *text = describe(places, &origin);
    if (text != NULL)
        keep(places, &origin, text);
    return text;
}

void vl_program_places_free(struct vl_program_places *places)
{
    for (size_t i = 0; i < places->count; i++) {
        free(places->known[i].path);
        free(places->known[i].text);
    }
    places->count = 0;
}
