#include "grade/build/target.h"

#include <stddef.h>

/* So that addresses in the program are those in its file. */
static const char *const fixed[] = {"-no-pie", NULL};

/* SimGrid loads the program as a library. What it defines itself wins over SimGrid's own. */
static const char *const loaded[] = {"-shared", "-Wl,-Bsymbolic", "-Wl,-z,defs", NULL};

const struct vl_target vl_target_runner = {.name = "runner",
                                           .includes = "mpi_includes",
                                           .flags = "",
                                           .objects = "runner_objects",
                                           .archives = "runner_archives",
                                           .solutions = "solution_archives",
                                           .wraps = "wrap_flags",
                                           .libraries = "mpi_libraries",
                                           .link = fixed,
                                           .seen = "",
                                           .phantoms = ""};

const struct vl_target vl_target_counting = {.name = "counting",
                                             .includes = "mpi_includes",
                                             .flags = "",
                                             .objects = "counted_objects",
                                             .archives = "runner_archives",
                                             .solutions = "solution_archives",
                                             .wraps = "counted_flags",
                                             .libraries = "mpi_libraries",
                                             .link = fixed,
                                             .seen = "",
                                             .phantoms = ""};

const struct vl_target vl_target_trainer = {.name = "trainer",
                                            .includes = "mpi_includes",
                                            .flags = "",
                                            .objects = "trainer_objects",
                                            .archives = "trainer_archives",
                                            .solutions = "solution_archives",
                                            .wraps = "trainer_wrap_flags",
                                            .libraries = "mpi_libraries",
                                            .link = fixed,
                                            .seen = "",
                                            .phantoms = ""};

const struct vl_target vl_target_simulator = {.name = "simulator",
                                              .includes = "simgrid_includes",
                                              .flags = "simgrid_flags",
                                              .objects = "simulator_objects",
                                              .archives = "simulator_archives",
                                              .solutions = "simulator_solutions",
                                              .wraps = "simulator_wrap_flags",
                                              .libraries = "simgrid_libraries",
                                              .link = loaded,
                                              .seen = "main",
                                              .phantoms = "phantoms"};
