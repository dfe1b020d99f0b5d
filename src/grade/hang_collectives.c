/* The collectives of all ranks side by side: same call, same root, same count, same order. */
#include "base/text.h"
#include "grade/scene.h"

int vl_scene_forgets(const struct vl_scene *scene, int rank)
{
    return scene->beacon[rank]->collectives_seen > VL_BEACON_COLLECTIVES;
}

static size_t remembered(const struct vl_scene *scene, int rank)
{
    return vl_scene_forgets(scene, rank) ? VL_BEACON_COLLECTIVES
                                         : (size_t)scene->beacon[rank]->collectives_seen;
}

size_t vl_scene_collectives(const struct vl_scene *scene, int rank, uint32_t communicator)
{
    size_t count = 0;
    for (size_t i = 0; i < remembered(scene, rank); i++)
        count += scene->beacon[rank]->collective[i].communicator == communicator;
    return count;
}

const struct vl_beacon_call *vl_scene_collective(const struct vl_scene *scene, int rank,
                                                 uint32_t communicator, size_t n)
{
    const struct vl_beacon_call *calls = scene->beacon[rank]->collective;
    if (vl_scene_forgets(scene, rank))
        return NULL;
    for (size_t i = 0; i < remembered(scene, rank); i++)
        if (calls[i].communicator == communicator && n-- == 0)
            return &calls[i];
    return NULL;
}

/* ---- two calls that should be the same ---- */

struct pair {
    int rank[2];
    const struct vl_beacon_call *call[2];
    char where[2][VL_WHERE];
};

static int is_contract(uint32_t operation)
{
    return operation >= VL_OP_VL_SEND;
}

static uint64_t bytes(const struct vl_beacon_call *call)
{
    return call->count * call->type_bytes;
}

static const char *differ_in_order(FILE *out, const struct pair *p)
{
    const struct vl_beacon_call *a = p->call[0], *b = p->call[1];
    if (a->operation == b->operation && (!is_contract(a->operation) || a->tag == b->tag))
        return NULL;
    if (a->operation == b->operation)
        vl_scene_say(
            out,
            _("Rank %1$d calls %2$s with tag %3$d where rank %4$d calls %5$s with tag %6$d: all "
              "ranks start the same transfers, in the same order."),
            p->rank[0], p->where[0], a->tag, p->rank[1], p->where[1], b->tag);
    else
        vl_scene_say(
            out,
            _("Rank %1$d calls %2$s where rank %3$d calls %4$s: all ranks of a communicator "
              "make the same collective calls, in the same order."),
            p->rank[0], p->where[0], p->rank[1], p->where[1]);
    return "collective_order";
}

static const char *differ_in_arguments(FILE *out, const struct pair *p)
{
    const struct vl_beacon_call *a = p->call[0], *b = p->call[1];
    if (a->root != b->root) {
        vl_scene_say(
            out,
            _("Rank %1$d calls %2$s with root %3$d, but rank %4$d calls %5$s with root %6$d: "
              "all ranks must name the same root."),
            p->rank[0], p->where[0], a->root, p->rank[1], p->where[1], b->root);
        return "collective_root";
    }
    if (a->reduction != b->reduction) {
        vl_scene_say(
            out,
            _("Rank %1$d calls %2$s with another operation than rank %3$d, which calls %4$s: "
              "all ranks must reduce in the same way."),
            p->rank[0], p->where[0], p->rank[1], p->where[1]);
        return "collective_operation";
    }
    /* Ten elements of four bytes are not five of eight where numbers are added. */
    if (bytes(a) != bytes(b) || (a->reduction != 0 && a->type_bytes != b->type_bytes)) {
        vl_scene_say(
            out,
            _("Rank %1$d calls %2$s with a count of %3$llu (of %4$u bytes each), but rank %5$d "
              "calls %6$s with %7$llu (of %8$u bytes each): counts and types must be the same "
              "on all ranks."),
            p->rank[0], p->where[0], (unsigned long long)a->count, a->type_bytes, p->rank[1],
            p->where[1], (unsigned long long)b->count, b->type_bytes);
        return "collective_count";
    }
    return NULL;
}

static int same(const struct vl_beacon_call *a, const struct vl_beacon_call *b)
{
    return a->operation == b->operation && a->root == b->root && a->reduction == b->reduction &&
           bytes(a) == bytes(b) && (a->reduction == 0 || a->type_bytes == b->type_bytes) &&
           (!is_contract(a->operation) || a->tag == b->tag);
}

/* How many ranks make this same call at this place. */
static int alike(const struct vl_scene *scene, const struct vl_beacon_call *call, size_t n)
{
    int count = 0;
    for (int rank = 0; rank < scene->ranks; rank++) {
        const struct vl_beacon_call *other =
            vl_scene_collective(scene, rank, call->communicator, n);
        count += other != NULL && same(call, other);
    }
    return count;
}

/* The n-th collective on a communicator: the rank that differs beside one of the majority. */
static const char *compare(FILE *out, const struct vl_scene *scene, uint32_t communicator, size_t n)
{
    struct pair p = {.rank = {-1, -1}};
    int most = 0;
    for (int rank = 0; rank < scene->ranks; rank++) {
        const struct vl_beacon_call *call = vl_scene_collective(scene, rank, communicator, n);
        int count = call != NULL ? alike(scene, call, n) : 0;
        if (count <= most)
            continue;
        most = count;
        p.rank[1] = rank;
        p.call[1] = call;
    }
    for (int rank = 0; rank < scene->ranks && most > 0 && p.rank[0] < 0; rank++) {
        p.call[0] = vl_scene_collective(scene, rank, communicator, n);
        if (p.call[0] != NULL && !same(p.call[0], p.call[1]))
            p.rank[0] = rank;
    }
    if (p.rank[0] < 0)
        return NULL;
    for (int i = 0; i < 2; i++)
        vl_scene_where(p.where[i], scene, p.rank[i], p.call[i]);
    const char *code = differ_in_order(out, &p);
    return code != NULL ? code : differ_in_arguments(out, &p);
}

const char *vl_find_mismatch(FILE *out, const struct vl_scene *scene)
{
    const char *code = NULL;
    for (int rank = 0; rank < scene->ranks; rank++)
        for (size_t i = 0; i < remembered(scene, rank) && !vl_scene_forgets(scene, rank); i++) {
            uint32_t communicator = scene->beacon[rank]->collective[i].communicator;
            size_t n = 0; /* this is the rank's n-th on that communicator */
            for (size_t j = 0; j < i; j++)
                n += scene->beacon[rank]->collective[j].communicator == communicator;
            code = compare(out, scene, communicator, n);
            if (code != NULL)
                return code;
        }
    return NULL;
}
