/* Any bytes as a model and as a cluster for `vialata plan`: refused with the place of the fault, or
 * every figure is within its bounds. */
#include "fuzz.h"

#include "plan/blueprint_file.h"

static void read_model(const char *path)
{
    struct vl_blueprint model;
    struct vl_recipe recipe;
    struct vl_blueprint_fault fault;
    json_t *file;
    enum vl_status status = vl_model_file_read(&model, &recipe, &file, &fault, path);
    if (status == VL_OK) {
        MUST(model.layers >= 1 && model.width >= 1 && model.width <= VL_BLUEPRINT_MOST_SIZE);
        MUST(model.dense_layers <= model.layers && model.chosen <= model.experts);
        MUST(model.kv_heads >= 1 && model.heads % model.kv_heads == 0);
        MUST(model.groups_met >= 1 && model.groups_met <= model.expert_groups);
        MUST(model.experts % model.expert_groups == 0);
        json_decref(file);
    } else if (status == VL_EFORMAT) {
        MUST(memchr(fault.where, '\0', sizeof fault.where) != NULL);
    }
}

static void read_cluster(const char *path)
{
    struct vl_cluster cluster;
    struct vl_blueprint_fault fault;
    json_t *file;
    if (vl_cluster_file_read(&cluster, &file, &fault, path) != VL_OK)
        return;
    MUST(cluster.peak > 0 || cluster.peak == 0);
    MUST(cluster.domain >= 1 && cluster.domain <= VL_BLUEPRINT_MOST_SIZE);
    MUST(cluster.levels == 1 || cluster.levels == 2);
    json_decref(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char path[64];
    int fd = file_of(path, bytes, n);
    read_model(path);
    read_cluster(path);
    close(fd);
    return 0;
}

/* The check adds the course's own files of models and machines. */
static void make_seeds(void)
{
    seed_text("titled",
              "{\"title\": \"x\", \"model\": {\"layers\": [2, \"here\"]}, \"recipe\": {}}");
}
