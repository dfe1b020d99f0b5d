/* Any bytes as a safetensors file, and as a bag: refused, or every element can be read. */
#include "fuzz.h"

#include "wire/guards.h"

static volatile unsigned seen; /* so that no read is optimized away */

static void read_all(const struct vl_tensor_entry *entry)
{
    const unsigned char *data = entry->data;
    size_t bytes = entry->count * vl_dtype_bytes(entry->dtype);
    MUST(entry->name != NULL && entry->dims <= VL_TENSOR_DIMS);
    for (size_t i = 0; i < bytes; i++)
        seen += data[i];
}

static void read_file(const char *path)
{
    struct vl_safetensors *file = NULL;
    const char *reason = NULL;
    if (vl_safetensors_open(&file, path, &reason) != VL_OK) {
        MUST(reason != NULL);
        return;
    }
    for (size_t i = 0; i < vl_safetensors_count(file); i++) {
        const struct vl_tensor_entry *entry = vl_safetensors_entry(file, i);
        read_all(entry);
        MUST(vl_safetensors_find(file, entry->name) != NULL);
    }
    vl_safetensors_metadata(file, "format");
    vl_safetensors_close(file);
}

static void read_bag(const char *path, const uint8_t *bytes, size_t n)
{
    struct vl_bag *bag = NULL, *parsed = NULL;
    enum vl_status status = vl_bag_read(&bag, path);
    MUST(vl_bag_parse(&parsed, bytes, n) == status);
    if (status != VL_OK)
        return;
    MUST(vl_bag_difference(bag, parsed) == NULL);
    vl_bag_free(parsed);
    for (size_t i = 0; i < vl_bag_count(bag); i++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(bag, i);
        read_all(entry);
        vl_bag_f32(bag, entry->name);
        vl_bag_int(bag, entry->name);
        vl_bag_real(bag, entry->name);
    }
    MUST(vl_guards_damaged(bag, VL_GUARD_VALUE) >= -1);
    struct vl_bag *copy = vl_bag_copy(bag);
    MUST(copy != NULL && vl_bag_difference(bag, copy) == NULL);
    MUST(vl_guards_add(copy) == (vl_bag_find(bag, VL_GUARDS_NAME) == NULL));
    vl_bag_free(copy);
    vl_bag_free(bag);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char path[64];
    int fd = file_of(path, bytes, n);
    read_file(path);
    read_bag(path, bytes, n);
    close(fd);
    return 0;
}

/* A bag with an array of each type, as the program writes it. */
static void make_seeds(void)
{
    char path[4096];
    struct vl_bag *bag = vl_bag_create();
    vl_bag_add_f32(bag, "weights", 3, 2);
    vl_bag_add_f64(bag, "losses", 1, 4);
    vl_bag_add_i32(bag, "tokens", 2, 0);
    vl_bag_set_int(bag, "count", -3);
    vl_bag_set_real(bag, "rate", 0.5);
    vl_bag_add_f32(bag, "folded", 2, 2048);
    vl_bag_poison(bag, "folded");
    vl_bag_f32(bag, "folded")[1500] = 1;
    snprintf(path, sizeof path, "%s/bag", getenv("VIALATA_SEEDS"));
    MUST(vl_bag_write(bag, path) == VL_OK);
    vl_bag_free(bag);
    static const char empty[] = "\x08\0\0\0\0\0\0\0{}      ";
    seed("empty", empty, sizeof empty - 1);
}
