#include "cli/simulate/labs.h"

#include "base/text.h"
#include "cli/shared/say.h"
#include "report/draw/terminal.h"

#include <stdio.h>

static const struct vl_with_program simulator = {
    .target = &vl_target_simulator,
    .heading = N_("Whose code is simulated, lab by lab:"),
    .building = N_("Putting yours into the simulator ..."),
    .broken = N_("Lab %1$02d (%2$s) passed, but it does not compile for SimGrid, so nothing was "
                 "simulated. Grade it again with `vialata grade %1$02d`, or drop `--with labs`."),
    .unlinked = N_("Your labs passed one by one, but they could not be linked together, so nothing "
                   "was simulated. Do two of them, or one and the simulator, define one name that "
                   "begins with `vl_`? Make yours `static`, or give it another name, and grade "
                   "that lab again.")};

enum vl_exit vl_simulate_labs(struct vl_with_labs *with, struct vl_simulate_request *request)
{
    struct vl_terminal terminal;
    vl_terminal_open(&terminal, request->json ? stderr : stdout);
    vl_with_labs_decide(with, &simulator);
    if (!request->json)
        vl_with_labs_tell(with, &terminal);
    request->with = vl_with_labs_json(with);
    if (request->with == NULL)
        return vl_say_status(VL_ENOMEM);
    return vl_with_labs_build(with, &terminal);
}
