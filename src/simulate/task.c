#include "simulate/task.h"

#include <stddef.h>

enum kind { SIZE, NUMBER, REAL };

/* One number of a task: what it is called in JSON, and where it is. */
struct field {
    const char *name;
    size_t offset;
    enum kind kind;
};

#define FIELD(name, field, kind)                                                                   \
    {                                                                                              \
        name, offsetof(struct vl_simulate_task, field), kind                                       \
    }
static const struct field fields[] = {
    FIELD("layers", shape.layers, SIZE),
    FIELD("width", shape.width, SIZE),
    FIELD("heads", shape.heads, SIZE),
    FIELD("ff", shape.ff, SIZE),
    FIELD("vocabulary", shape.vocabulary, SIZE),
    FIELD("sequence", shape.sequence, SIZE),
    FIELD("experts", experts.experts, SIZE),
    FIELD("chosen", experts.chosen, SIZE),
    FIELD("data", data, NUMBER),
    FIELD("expert", expert, NUMBER),
    FIELD("tensor", tensor, NUMBER),
    FIELD("pipeline", pipeline, NUMBER),
    FIELD("chunks", chunks, SIZE),
    FIELD("micro_batches", micro_batches, SIZE),
    FIELD("zero", zero, NUMBER),
    FIELD("recompute", recompute, NUMBER),
    FIELD("overlap", overlap, NUMBER),
    FIELD("sequence_parallel", sequence_parallel, NUMBER),
    FIELD("batch", batch, SIZE),
    FIELD("bucket_bytes", bucket_bytes, SIZE),
    FIELD("node_replicas", node_replicas, NUMBER),
    FIELD("flops", flops, REAL),
    FIELD("memory", memory, REAL),
    FIELD("element_bytes", element_bytes, REAL),
    FIELD("state_bytes", state_bytes, REAL),
    FIELD("slower", slower, REAL),
    FIELD("in_order", in_order, NUMBER),
    FIELD("domain", domain, NUMBER),
};
#define FIELDS (sizeof fields / sizeof *fields)

static json_t *write_field(const struct vl_simulate_task *task, const struct field *field)
{
    const void *at = (const char *)task + field->offset;
    switch (field->kind) {
    case SIZE:
        return json_integer((json_int_t) * (const size_t *)at);
    case NUMBER:
        return json_integer(*(const int *)at);
    case REAL:
        break;
    }
    return json_real(*(const double *)at);
}

json_t *vl_simulate_task_json(const struct vl_simulate_task *task)
{
    json_t *object = json_object();
    int failed = object == NULL;
    for (size_t i = 0; i < FIELDS && !failed; i++)
        failed = json_object_set_new(object, fields[i].name, write_field(task, &fields[i])) != 0;
    if (!failed && task->trace != NULL)
        failed = json_object_set_new(object, "trace", json_string(task->trace)) != 0;
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

static int read_field(struct vl_simulate_task *task, const struct field *field, const json_t *value)
{
    void *at = (char *)task + field->offset;
    if (field->kind == REAL ? !json_is_number(value) : !json_is_integer(value))
        return 0;
    if (json_number_value(value) < 0)
        return 0;
    if (field->kind == SIZE)
        *(size_t *)at = (size_t)json_integer_value(value);
    else if (field->kind == NUMBER)
        *(int *)at = (int)json_integer_value(value);
    else
        *(double *)at = json_number_value(value);
    return 1;
}

enum vl_status vl_simulate_task_read(struct vl_simulate_task *task, const json_t *object)
{
    *task = (struct vl_simulate_task){.experts = {.scale = 1}};
    for (size_t i = 0; i < FIELDS; i++)
        if (!read_field(task, &fields[i], json_object_get(object, fields[i].name)))
            return VL_EFORMAT;
    task->trace = json_string_value(json_object_get(object, "trace"));
    return VL_OK;
}
