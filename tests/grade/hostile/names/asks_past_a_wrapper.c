/* code: uses_reserved_name */
/* says: it uses __real_vl_all_to_all, */
/* only: 02 exchange.p2_kib */
#include "vialata/collectives.h"

enum vl_status __real_vl_all_to_all(void);

enum vl_status vl_exchange(MPI_Comm comm, float *received, const float *sent, size_t n, int peer,
                           int tag)
{
    (void)comm, (void)received, (void)sent, (void)n, (void)peer, (void)tag;
    return __real_vl_all_to_all();
}
