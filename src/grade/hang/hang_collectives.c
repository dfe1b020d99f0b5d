/* The collectives of all ranks side by side: same call, same root, same count, same order. */
#include "base/text.h"
#include "grade/hang/wait_graph.h"

int vl_wait_graph_forgets(const struct vl_wait_graph *graph, int rank)
{
    return graph->beacon[rank]->collectives_seen > VL_BEACON_COLLECTIVES;
}

static size_t remembered(const struct vl_wait_graph *graph, int rank)
{
    return vl_wait_graph_forgets(graph, rank) ? VL_BEACON_COLLECTIVES
                                              : (size_t)graph->beacon[rank]->collectives_seen;
}

size_t vl_wait_graph_collectives(const struct vl_wait_graph *graph, int rank, uint32_t communicator)
{
    size_t count = 0;
    for (size_t i = 0; i < remembered(graph, rank); i++)
        count += graph->beacon[rank]->collective[i].communicator == communicator;
    return count;
}

const struct vl_beacon_call *vl_wait_graph_collective(const struct vl_wait_graph *graph, int rank,
                                                      uint32_t communicator, size_t n)
{
    const struct vl_beacon_call *calls = graph->beacon[rank]->collective;
    if (vl_wait_graph_forgets(graph, rank))
        return NULL;
    for (size_t i = 0; i < remembered(graph, rank); i++)
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
        vl_wait_graph_say(
            out,
            _("Rank %1$d calls %2$s with tag %3$d where rank %4$d calls %5$s with tag %6$d: all "
              "ranks start the same transfers, in the same order."),
            p->rank[0], p->where[0], a->tag, p->rank[1], p->where[1], b->tag);
    else
        vl_wait_graph_say(
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
        vl_wait_graph_say(
            out,
            _("Rank %1$d calls %2$s with root %3$d, but rank %4$d calls %5$s with root %6$d: "
              "all ranks must name the same root."),
            p->rank[0], p->where[0], a->root, p->rank[1], p->where[1], b->root);
        return "collective_root";
    }
    if (a->reduction != b->reduction) {
        vl_wait_graph_say(
            out,
            _("Rank %1$d calls %2$s with another operation than rank %3$d, which calls %4$s: "
              "all ranks must reduce in the same way."),
            p->rank[0], p->where[0], p->rank[1], p->where[1]);
        return "collective_operation";
    }
    /* Ten elements of four bytes are not five of eight where numbers are added. */
    if (bytes(a) != bytes(b) || (a->reduction != 0 && a->type_bytes != b->type_bytes)) {
        vl_wait_graph_say(
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
static int alike(const struct vl_wait_graph *graph, const struct vl_beacon_call *call, size_t n)
{
    int count = 0;
    for (int rank = 0; rank < graph->ranks; rank++) {
        const struct vl_beacon_call *other =
            vl_wait_graph_collective(graph, rank, call->communicator, n);
        count += other != NULL && same(call, other);
    }
    return count;
}

/* The n-th collective on a communicator: the rank that differs beside one of the majority. */
static const char *compare(FILE *out, const struct vl_wait_graph *graph, uint32_t communicator,
                           size_t n)
{
    struct pair p = {.rank = {-1, -1}};
    int most = 0;
    for (int rank = 0; rank < graph->ranks; rank++) {
        const struct vl_beacon_call *call = vl_wait_graph_collective(graph, rank, communicator, n);
        int count = call != NULL ? alike(graph, call, n) : 0;
        if (count <= most)
            continue;
        most = count;
        p.rank[1] = rank;
        p.call[1] = call;
    }
    for (int rank = 0; rank < graph->ranks && most > 0 && p.rank[0] < 0; rank++) {
        p.call[0] = vl_wait_graph_collective(graph, rank, communicator, n);
        if (p.call[0] != NULL && !same(p.call[0], p.call[1]))
            p.rank[0] = rank;
    }
    if (p.rank[0] < 0)
        return NULL;
    for (int i = 0; i < 2; i++)
        vl_wait_graph_where(p.where[i], graph, p.rank[i], p.call[i]);
    const char *code = differ_in_order(out, &p);
    return code != NULL ? code : differ_in_arguments(out, &p);
}

const char *vl_find_mismatch(FILE *out, const struct vl_wait_graph *graph)
{
    const char *code = NULL;
    for (int rank = 0; rank < graph->ranks; rank++)
        for (size_t i = 0; i < remembered(graph, rank) && !vl_wait_graph_forgets(graph, rank);
             i++) {
            uint32_t communicator = graph->beacon[rank]->collective[i].communicator;
            size_t n = 0; /* this is the rank's n-th on that communicator */
            for (size_t j = 0; j < i; j++)
                n += graph->beacon[rank]->collective[j].communicator == communicator;
            code = compare(out, graph, communicator, n);
            if (code != NULL)
                return code;
        }
    return NULL;
}
