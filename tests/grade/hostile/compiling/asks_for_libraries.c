/* code: unwritten */
#include "../attack.h"

/* Sections that some linkers take orders from. */
__asm__(".section .deplibs,\"MS\",@llvm_dependent_libraries,1\n"
        ".asciz \"vl_solution_01_training_step\"\n"
        ".section .drectve\n.ascii \"-lvl_solution_01_training_step\"\n.text");

ATTACK
{
    return VL_OK;
}
