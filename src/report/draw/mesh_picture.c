#include "report/draw/mesh_picture.h"

#include "base/text.h"
#include "report/draw/markup.h"

#include <stdlib.h>

#define LEFT      120.0 /* pixels: names of the stages */
#define CELL_WIDE 74.0
#define CELL_HIGH 46.0
#define STRIPE    7.0
#define INSIDE    5.0 /* between a frame and its cells */
#define GAP       14.0
#define LINE_MOST 8 /* cells in a line, unless one replica has more */
#define MOST      1024
#define COLOURS   6 /* --c0 ... of page.c */

struct mesh {
    FILE *stream;
    const json_t *run;
    long replicas, places, stages, ep, experts; /* replicas: dp times ep */
    long a_line;                                /* replicas in a line */
};

static long integer_at(const json_t *object, const char *key)
{
    return (long)json_integer_value(json_object_get(object, key));
}

static double frame_wide(const struct mesh *mesh)
{
    return 2 * INSIDE + (double)mesh->places * CELL_WIDE;
}

static double frame_high(void)
{
    return 2 * INSIDE + CELL_HIGH;
}

static long lines_of(const struct mesh *mesh)
{
    return (mesh->replicas + mesh->a_line - 1) / mesh->a_line;
}

static double stage_high(const struct mesh *mesh)
{
    return (double)lines_of(mesh) * (frame_high() + GAP);
}

/* A line holds whole groups of replicas that share the experts, if they fit. */
static int look(struct mesh *mesh)
{
    const json_t *rank;
    size_t i;
    mesh->places = integer_at(mesh->run, "tp");
    mesh->replicas = integer_at(mesh->run, "dp") * integer_at(mesh->run, "ep");
    mesh->stages = integer_at(mesh->run, "pp");
    mesh->ep = integer_at(mesh->run, "ep");
    mesh->experts = integer_at(mesh->run, "experts");
    if (mesh->places < 1 || mesh->replicas < 1 || mesh->stages < 1 || mesh->ep < 1 ||
        mesh->places > MOST || mesh->replicas > MOST || mesh->stages > MOST ||
        mesh->places * mesh->replicas * mesh->stages !=
            (long)json_array_size(json_object_get(mesh->run, "mesh")))
        return 0;
    json_array_foreach(json_object_get(mesh->run, "mesh"), i, rank)
    {
        if (integer_at(rank, "replica") < 0 || integer_at(rank, "replica") >= mesh->replicas ||
            integer_at(rank, "stage") < 0 || integer_at(rank, "stage") >= mesh->stages ||
            integer_at(rank, "place") < 0 || integer_at(rank, "place") >= mesh->places)
            return 0;
    }
    long fit = LINE_MOST / mesh->places > 0 ? LINE_MOST / mesh->places : 1;
    mesh->a_line = fit >= mesh->ep ? fit / mesh->ep * mesh->ep : fit;
    mesh->a_line = mesh->a_line < mesh->replicas ? mesh->a_line : mesh->replicas;
    return 1;
}

static void put_stage(const struct mesh *mesh, long stage)
{
    const json_t *layers = json_object_get(mesh->run, "stage_layers"), *one;
    double y = GAP + (double)stage * stage_high(mesh) + frame_high() / 2;
    char text[128];
    long count = 0;
    size_t k;
    json_array_foreach(layers, k, one) /* chunks go round the stages */
        count += (long)k % mesh->stages == stage ? (long)json_integer_value(one) : 0;
    snprintf(text, sizeof text, _("stage %ld"), stage);
    vl_markup_label(mesh->stream, LEFT - 12, y - 3, "end", text);
    /* TRANSLATORS: how many layers of the model a stage has. */
    snprintf(text, sizeof text, _("layers: %ld"), count);
    vl_markup_label(mesh->stream, LEFT - 12, y + 13, "end", text);
}

static double frame_x(const struct mesh *mesh, long replica)
{
    return LEFT + (double)(replica % mesh->a_line) * (frame_wide(mesh) + GAP);
}

static double frame_y(const struct mesh *mesh, long replica, long stage)
{
    return GAP + (double)stage * stage_high(mesh) +
           (double)(replica / mesh->a_line) * (frame_high() + GAP);
}

/* Which experts a rank has, if experts are divided among replicas. */
static void put_experts(const struct mesh *mesh, double x, double y, long replica)
{
    char text[64];
    if (mesh->experts < mesh->ep || mesh->experts % mesh->ep != 0)
        return;
    long each = mesh->experts / mesh->ep, first = replica % mesh->ep * each;
    if (each > 1)
        snprintf(text, sizeof text, "E %ld\xe2\x80\x93%ld", first, first + each - 1);
    else
        snprintf(text, sizeof text, "E %ld", first);
    vl_markup_label(mesh->stream, x, y, "middle", text);
}

static void put_rank(const struct mesh *mesh, size_t number, const json_t *rank)
{
    long replica = integer_at(rank, "replica"), stage = integer_at(rank, "stage"),
         place = integer_at(rank, "place");
    double x = frame_x(mesh, replica) + INSIDE + (double)place * CELL_WIDE,
           y = frame_y(mesh, replica, stage) + INSIDE;
    long colour = mesh->experts > 0 ? replica % mesh->ep : stage;
    char text[64];
    fprintf(mesh->stream,
            "<rect class=\"axis\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n"
            "<rect style=\"fill:var(--c%ld)\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
            "height=\"%.1f\"/>\n",
            x + 2, y, CELL_WIDE - 4, CELL_HIGH, colour % COLOURS, x + 2, y, CELL_WIDE - 4, STRIPE);
    snprintf(text, sizeof text, _("rank %zu"), number);
    vl_markup_label(mesh->stream, x + CELL_WIDE / 2, y + 23, "middle", text);
    put_experts(mesh, x + CELL_WIDE / 2, y + 39, replica);
}

static void put_frame(const struct mesh *mesh, long replica, long stage)
{
    char name[96];
    snprintf(name, sizeof name, _("replica %1$ld, stage %2$ld"), replica, stage);
    fprintf(mesh->stream,
            "<rect class=\"grid\" fill=\"none\" rx=\"4\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
            "height=\"%.1f\"><title>",
            frame_x(mesh, replica), frame_y(mesh, replica, stage), frame_wide(mesh), frame_high());
    vl_markup_text(mesh->stream, name);
    fputs("</title></rect>\n", mesh->stream);
}

int vl_mesh_picture(FILE *stream, const json_t *run)
{
    struct mesh mesh = {.stream = stream, .run = run};
    const json_t *rank;
    size_t number;
    if (stream == NULL || !look(&mesh))
        return 0;
    vl_markup_picture(stream, LEFT + (double)mesh.a_line * (frame_wide(&mesh) + GAP),
                      GAP + (double)mesh.stages * stage_high(&mesh), _("The mesh, rank by rank"),
                      NULL);
    for (long stage = 0; stage < mesh.stages; stage++) {
        put_stage(&mesh, stage);
        for (long replica = 0; replica < mesh.replicas; replica++)
            put_frame(&mesh, replica, stage);
    }
    json_array_foreach(json_object_get(run, "mesh"), number, rank) put_rank(&mesh, number, rank);
    fputs("</svg>\n", stream);
    return 1;
}
