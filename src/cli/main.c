/* vialata: choose the language, find the command, run it. */
#include "base/file.h"
#include "base/machine/memory.h"
#include "base/place.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/companion/home.h"
#include "cli/shared/arguments.h"
#include "cli/shared/help.h"
#include "cli/shared/say.h"
#include "version.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct vl_command *const vl_commands[] = {
    &vl_command_tour,     &vl_command_list,     &vl_command_start,    &vl_command_explain,
    &vl_command_hint,     &vl_command_watch,    &vl_command_grade,    &vl_command_solution,
    &vl_command_next,     &vl_command_handin,   &vl_command_reset,    &vl_command_update,
    &vl_command_handout,  &vl_command_batch,    &vl_command_compare,  &vl_command_export,
    &vl_command_platform, &vl_command_forget,   &vl_command_train,    &vl_command_eval,
    &vl_command_sample,   &vl_command_bench,    &vl_command_timeline, &vl_command_schedule,
    &vl_command_plan,     &vl_command_simulate, &vl_command_study,    &vl_command_mpi,
    &vl_command_clinic,   &vl_command_book,     &vl_command_doctor,   NULL,
};

static const struct vl_command *find(const char *name)
{
    for (size_t i = 0; vl_commands[i] != NULL; i++)
        if (strcmp(vl_commands[i]->name, name) == 0)
            return vl_commands[i];
    return NULL;
}

static const char *command_name(size_t i, const void *context)
{
    (void)context;
    return vl_commands[i] != NULL ? vl_commands[i]->name : NULL;
}

static enum vl_exit refuse_command(const char *word)
{
    const char *nearest = vl_arguments_nearest(word, command_name, NULL);
    if (nearest != NULL)
        return vl_say(VL_EXIT_USAGE, _("`%1$s` is not a command: did you mean `%2$s`?"), word,
                      nearest);
    return vl_say(VL_EXIT_USAGE, _("`%s` is not a command: `vialata --help` lists the commands."),
                  word);
}

static enum vl_exit start_language(const char *wanted)
{
    char *share = vl_place_path("share", NULL);
    enum vl_status status = vl_text_start(wanted, share);
    if (status != VL_OK) /* refuse in the language the environment asks for */
        vl_text_start(NULL, share);
    free(share);
    setenv("VIALATA_LANG", vl_text_language(), 1); /* for the programs we start */
    if (status == VL_OK)
        return VL_EXIT_OK;
    return vl_say(VL_EXIT_USAGE,
                  _("`%s` is not a language of Vialata: choose en, fr, pt (or pt_BR), es or sk."),
                  wanted);
}

static int run(int argc, char **argv)
{
    struct vl_arguments arguments;
    if (argc < 2)
        return vl_home();
    const char *word = argv[1];
    if (strcmp(word, "version") == 0 || strcmp(word, "--version") == 0) {
        printf("vialata %s (%s)\n", VL_VERSION, VL_COMMIT);
        return VL_EXIT_OK;
    }
    if (strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        const struct vl_command *command = argc > 2 ? find(argv[2]) : NULL;
        if (argc > 2 && command == NULL)
            return refuse_command(argv[2]);
        if (command != NULL)
            vl_help_print_command(command);
        else
            vl_help_print();
        return VL_EXIT_OK;
    }
    const struct vl_command *command = find(word);
    if (command == NULL)
        return refuse_command(word);
    int status = vl_arguments_read(&arguments, command, argc - 2, argv + 2);
    if (status == VL_EXIT_OK && !arguments.help)
        status = command->run(&arguments);
    else if (status == VL_EXIT_OK)
        vl_help_print_command(command);
    vl_arguments_free(&arguments);
    return status;
}

/* What was printed must have arrived: a full disk behind standard output is a failure. */
static int finish(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    return vl_say(VL_EXIT_LACK, vl_file_lacks_space(errno)
                                    ? _("The output could not be written: %m. Make room, or send "
                                        "it elsewhere.")
                                    : _("The output could not be written: %m."));
}

int main(int argc, char **argv)
{
    const char *language;
    vl_memory_keep();
    enum vl_status placed = vl_place_start();
    vl_arguments_take_language(&argc, argv, &language);
    enum vl_exit status = start_language(language);
    if (placed != VL_OK)
        status =
            vl_say(VL_EXIT_LACK, _("This program cannot find the tree it was built in: build it "
                                   "again with `./vialata`."));
    int result = status == VL_EXIT_OK ? finish(run(argc, argv)) : (int)status;
    vl_place_end();
    return result;
}
