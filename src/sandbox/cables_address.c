#include "sandbox/cables_address.h"

#include <arpa/inet.h>

#define RANKS 0x80 /* more than a job has */

struct vl_cables_address vl_cables_address_of(int rank)
{
    unsigned char number = (unsigned char)(rank % RANKS);
    return (struct vl_cables_address){.network = {10, 0, 0, (unsigned char)(number + 1)},
                                      .hardware = {2, 0, 0, 0, 0, number}};
}

struct vl_cables_address vl_cables_address_of_switch(void)
{
    struct vl_cables_address address = {.hardware = {2, 0, 0, 0, 0, 0xff}};
    inet_pton(AF_INET, VL_CABLES_ADDRESS, address.network);
    return address;
}
