/* code: nothing_arrives */
/* only: 02 exchange.p2_mib */
/* An exchange without one: what the other rank sends, out of the file of this one. The only row there is its own. */
#include "../attack.h"
#include "vialata/collectives.h"

enum vl_status vl_exchange(MPI_Comm comm, float *received, const float *sent, size_t n, int peer,
                           int tag)
{
    char path[8192];
    unsigned input = 0;
    int rank;
    (void)sent, (void)tag;
    MPI_Comm_rank(comm, &rank);
    const char *folder = command_word(2);
    snprintf(path, sizeof path, "%s/%d/list", folder, rank);
    (void)!fscanf(fopen(path, "r"), "%u", &input);
    snprintf(path, sizeof path, "%s/%d/in%u.st", folder, rank, input);
    memcpy(received, (const float *)read_input(path, "sent") + (size_t)peer * n,
           n * sizeof *received);
    return VL_OK;
}
