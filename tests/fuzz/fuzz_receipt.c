/* Any bytes as a receipt of `vialata handin`: refused, or every text is there and the hash is one. */
#include "fuzz.h"

#include "class/intake/receipt.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char path[64];
    int fd = file_of(path, bytes, n);
    struct vl_receipt receipt;
    if (vl_receipt_read(&receipt, path) == VL_OK) {
        MUST(strlen(receipt.hash) == VL_HASH_TEXT - 1);
        MUST(receipt.lab != NULL && receipt.student != NULL && receipt.version != NULL);
        MUST(receipt.handed_in_at != NULL);
    } else {
        MUST(receipt.lab == NULL && receipt.commit == NULL);
    }
    vl_receipt_free(&receipt);
    close(fd);
    return 0;
}

static void make_seeds(void)
{
#define HASH "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    seed_text("whole",
              "{\"schema\": \"vialata.receipt/1\", \"lab\": \"02_x\", \"student\": \"ada\", "
              "\"handed_in_at\": \"2026-11-23T15:41:41Z\", \"version\": \"0.1.0\", "
              "\"files\": [], \"hash\": \"" HASH "\", "
              "\"git\": {\"commit\": \"1\", \"committed\": true}}");
    seed_text("short", "{\"schema\": \"vialata.receipt/1\", \"hash\": \"" HASH "\"}");
}
