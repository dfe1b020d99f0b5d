#include "ranks/hang/place_in_source.h"

#include "sandbox/objects/known_lines.h"
#include "sandbox/process.h"
#include "sandbox/scratch/scratch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *find_line(const char *words, const char *sources)
{
    size_t length = strlen(sources);
    for (const char *line = words; *line != '\0';) {
        size_t end = strcspn(line, "\n");
        const char *name = line + length + 1;
        if (end > length + 1 && strncmp(line, sources, length) == 0 && line[length] == '/') {
            size_t shown = strcspn(name, " \n"); /* without "(discriminator 3)" */
            if (memchr(name, '?', shown) == NULL)
                return strndup(name, shown);
        }
        line += end + (line[end] == '\n');
    }
    return NULL;
}

char *vl_place_in_source(const struct vl_place_finder *finder, const struct vl_board_rank *rank)
{
    const char *const sees[] = {finder->program, NULL};
    const struct vl_limits limits = {
        .seconds = 3,
        .memory = (size_t)1 << 30,
        .file_size = 1u << 20,
        .processes = 256, /* the job in question may still be running as the same user */
        .sees = sees};
    uint64_t at[VL_BOARD_FRAMES] = {0};
    char address[VL_BOARD_FRAMES][24], *place;
    char *argv[VL_BOARD_FRAMES + 4] = {(char *)"addr2line", (char *)"-e", (char *)finder->program};
    size_t frames = 0;
    for (; frames < rank->frames && frames < VL_BOARD_FRAMES; frames++) {
        /* A return address points after the call; the first one is the instruction itself. */
        at[frames] = rank->address[frames] - (frames > 0 && rank->address[frames] > 0);
        snprintf(address[frames], sizeof address[frames], "0x%" PRIx64, at[frames]);
        argv[frames + 3] = address[frames];
    }
    struct vl_process process = {.pipe = -1};
    if (frames > 0 &&
        vl_known_lines_find(&place, finder->sandbox->lines, finder->program, at, frames))
        return place;
    if (frames == 0 || vl_process_run(&process, finder->sandbox, NULL, argv, &limits) != VL_OK)
        return NULL;
    place = find_line(process.words, finder->sources);
    if (process.exit == 0)
        vl_known_lines_keep(finder->sandbox->lines, finder->program, at, frames, place);
    vl_process_free(&process);
    return place;
}

char *vl_place_of_call(void *context, uint64_t address)
{
    struct vl_place_finder *finder = context;
    const size_t most = sizeof finder->address / sizeof *finder->address;
    for (size_t i = 0; i < finder->count; i++)
        if (finder->address[i] == address)
            return finder->place[i] != NULL ? strdup(finder->place[i]) : NULL;
    /* The addresses are what a submission says, and each costs a start. */
    if (finder->count == most ||
        (finder->sandbox->until > 0 && vl_clock() > finder->sandbox->until))
        return NULL;
    struct vl_board_rank call = {.frames = 2, .address = {0, address}};
    char *place = vl_place_in_source(finder, &call);
    finder->address[finder->count] = address;
    finder->place[finder->count++] = place != NULL ? strdup(place) : NULL;
    return place;
}

void vl_place_finder_free(struct vl_place_finder *finder)
{
    for (size_t i = 0; i < finder->count; i++)
        free(finder->place[i]);
    finder->count = 0;
}
