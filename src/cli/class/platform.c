/* vialata platform: what a learning platform needs to grade by itself. */
#include "base/file.h"
#include "base/place.h"
#include "base/text.h"
#include "class/handout/kit.h"
#include "cli/shared/arguments.h"
#include "cli/shared/labs.h"
#include "cli/shared/say.h"
#include "cli/shared/secret.h"
#include "cli/shared/write.h"
#include "grade/run/grade.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static enum vl_exit read_platform(struct vl_kit *kit, const char *word)
{
    if (vl_platform_find(&kit->platform, word) == VL_OK)
        return VL_EXIT_OK;
    return vl_say(VL_EXIT_USAGE,
                  _("There is no platform `%s`: choose gradescope, autolab, prairielearn or "
                    "github-classroom."),
                  word);
}

static enum vl_exit check_secret(const struct vl_kit *kit, const char *secret)
{
    if ((secret == NULL) != (kit->student == NULL))
        return vl_say(VL_EXIT_USAGE,
                      _("`--secret` and `--student` go together here: every student of the "
                        "assignment then begins with `vialata start LAB --student NAME`."));
    if (secret != NULL && kit->platform == VL_PLATFORM_GITHUB_CLASSROOM)
        return vl_say(VL_EXIT_USAGE, _("GitHub Classroom gives this kit to students, so it cannot "
                                       "hold a secret: leave out `--secret`."));
    return vl_student_check(kit->student);
}

static enum vl_exit read_kit(struct vl_kit *kit, const struct vl_arguments *arguments)
{
    const char *labs = vl_argument(arguments, "labs"), *image = vl_argument(arguments, "image");
    uint64_t budget = 0;
    kit->language = vl_text_language();
    kit->no_speed = vl_argument(arguments, "no-speed") != NULL;
    kit->student = vl_argument(arguments, "student");
    kit->image = image != NULL ? image : "vialata-grader";
    if (labs == NULL || vl_argument(arguments, "out") == NULL)
        return vl_say(VL_EXIT_USAGE,
                      _("`vialata platform` needs to know which labs, and where the kit goes: "
                        "`vialata platform gradescope --labs 01 --out autograder.zip`."));
    if (!vl_argument_number_of(&budget, arguments, "budget", VL_GRADE_BUDGET_LEAST,
                               VL_GRADE_BUDGET_MOST))
        return VL_EXIT_USAGE;
    kit->budget = (unsigned)budget;
    enum vl_exit result = read_platform(kit, arguments->words[0]);
    if (result == VL_EXIT_OK)
        result = vl_labs_named(kit->labs, &kit->lab_count, labs);
    if (result == VL_EXIT_OK)
        result = check_secret(kit, vl_argument(arguments, "secret"));
    if (result == VL_EXIT_OK && !vl_kit_has_sources(kit->root))
        result =
            vl_say(VL_EXIT_LACK, _("A kit holds the course's sources, and this is an installed "
                                   "course without them: run `./vialata platform` in a copy of "
                                   "the course's repository."));
    return result;
}

static enum vl_exit write_kit(const struct vl_kit *kit, const char *path)
{
    struct vl_file_new file;
    mode_t before = kit->secret != NULL ? umask(S_IRWXG | S_IRWXO) : 0;
    enum vl_status status = vl_file_begin(&file, path);
    if (kit->secret != NULL)
        umask(before);
    if (status == VL_OK)
        status = vl_file_end(&file, vl_kit_write(kit, file.stream));
    return vl_write_say(status, path, VL_EXIT_USAGE);
}

static void tell(const struct vl_kit *kit, const char *path)
{
    static const char *const next[VL_PLATFORMS] = {
        [VL_PLATFORM_GRADESCOPE] =
            N_("%s is ready. Upload it under \"Configure Autograder\". The image that you choose "
               "there must have CMake 3.25 or newer, as Debian 12 and Ubuntu 24.04 do."),
        [VL_PLATFORM_AUTOLAB] =
            N_("%s is ready. Build the image in its folder `image`, and upload "
               "`autograde-Makefile` and `autograde.tar` in the assessment's autograder settings."),
        [VL_PLATFORM_PRAIRIELEARN] =
            N_("%s is ready. Build the image in its folder `image`, and copy what is in its folder "
               "`questions` into the course's."),
        [VL_PLATFORM_GITHUB_CLASSROOM] =
            N_("%s is ready. Unpack it into the assignment's template repository, and set the "
               "variable `VIALATA_COURSE` to the course's repository."),
    };
    printf(_(next[kit->platform]), path);
    putchar('\n');
    if (kit->secret != NULL)
        vl_say(VL_EXIT_OK, _("The secret is in it: give %s to nobody but the platform."), path);
}

static int run(const struct vl_arguments *arguments)
{
    struct vl_kit kit = {.root = vl_place_text("root"),
                         .labs = calloc(vl_lab_count, sizeof *kit.labs)};
    struct vl_secret secret = {0};
    const char *path = vl_argument(arguments, "out");
    enum vl_exit result = kit.labs != NULL ? read_kit(&kit, arguments) : vl_say_status(VL_ENOMEM);
    if (result == VL_EXIT_OK)
        result = vl_secret_read(&secret, vl_argument(arguments, "secret"));
    kit.secret = secret.bytes;
    kit.secret_bytes = secret.count;
    if (result == VL_EXIT_OK)
        result = write_kit(&kit, path);
    if (result == VL_EXIT_OK)
        tell(&kit, path);
    vl_secret_free(&secret);
    free(kit.labs);
    return result;
}

static const struct vl_flag flags[] = {
    {"labs", "NN", N_("the labs to grade: 02, or 01-04, or 01,03")},
    {"out", "FILE", N_("the zip to write; what students will read is in the language of `--lang`")},
    {"no-speed", NULL, N_("leave out the timed part; its points are not counted")},
    {"budget", "SECONDS", N_("the time for a lab; 180 by default, more on a busy machine")},
    {"secret", "FILE", N_("derive the seed from this secret and `--student`, and never show it")},
    {"student", "NAME", N_("with `--secret`: the name that every student starts the lab with")},
    {"image", "NAME", N_("what the image is called (prairielearn); `vialata-grader` by default")},
    {0},
};

const struct vl_command vl_command_platform = {
    .name = "platform",
    .takes = "PLATFORM",
    .least = 1,
    .most = 1,
    .summary = N_("Make a zip with which a learning platform grades labs by itself."),
    .flags = flags,
    .run = run,
};
