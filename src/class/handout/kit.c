#include "class/handout/kit.h"

#include "base/path.h"
#include "base/text.h"
#include "class/handout/pack.h"
#include "report/verdict/replay.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEMPLATES "src/class/handout/platforms"

/* What grading needs of the course: no pages and no tests. */
static const char *const course[] = {
    "CMakeLists.txt", "CMakePresets.json", "LICENSE", "include", "labs", "po", "solutions", "src",
    "vialata"};

static const char *const names[VL_PLATFORMS] = {
    [VL_PLATFORM_GRADESCOPE] = "gradescope",
    [VL_PLATFORM_AUTOLAB] = "autolab",
    [VL_PLATFORM_PRAIRIELEARN] = "prairielearn",
    [VL_PLATFORM_GITHUB_CLASSROOM] = "github-classroom",
};

const char *vl_platform_name(enum vl_platform platform)
{
    return names[platform];
}

enum vl_status vl_platform_find(enum vl_platform *platform, const char *name)
{
    for (int i = 0; i < VL_PLATFORMS; i++)
        if (strcmp(names[i], name) == 0) {
            *platform = (enum vl_platform)i;
            return VL_OK;
        }
    return VL_EINVAL;
}

bool vl_kit_has_sources(const char *root)
{
    char *path = root != NULL && root[0] != '\0' ? vl_path_join(root, TEMPLATES) : NULL;
    bool has = path != NULL && access(path, R_OK | X_OK) == 0;
    free(path);
    return has;
}

/* ---- parts of a kit ---- */

static enum vl_status put(struct vl_pack *pack, const struct vl_kit *kit, const char *name,
                          const char *from)
{
    char *path = vl_path_join(kit->root, from);
    enum vl_status status = path != NULL ? vl_pack_tree(pack, name, path) : VL_ENOMEM;
    free(path);
    return status;
}

static enum vl_status put_text(struct vl_pack *pack, const char *name, char *text)
{
    enum vl_status status =
        text != NULL ? vl_pack_bytes(pack, name, 0644, text, strlen(text)) : VL_ENOMEM;
    free(text);
    return status;
}

static enum vl_status put_course(struct vl_pack *pack, const struct vl_kit *kit, const char *folder)
{
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < sizeof course / sizeof *course && status == VL_OK; i++) {
        char *name = vl_path_join(folder, course[i]);
        status = name != NULL ? put(pack, kit, name, course[i]) : VL_ENOMEM;
        free(name);
    }
    return status;
}

/* Lines of shell that grade.sh reads. */
static char *settings_of(const struct vl_kit *kit, const struct vl_lab *only)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL)
        return NULL;
    fputs("# What to grade, and how. Made by `vialata platform`, read by grade.sh.\nlabs='",
          stream);
    for (size_t i = 0; i < kit->lab_count; i++)
        if (only == NULL || kit->labs[i] == only)
            fprintf(stream, " %s", kit->labs[i]->folder);
    fprintf(stream, "'\nlanguage=%s\nstudent=", kit->language);
    vl_shell_word_put(stream, kit->student != NULL ? kit->student : "");
    fputs("\nset --", stream);
    if (kit->no_speed)
        fputs(" --no-speed", stream);
    if (kit->budget > 0)
        fprintf(stream, " --budget %u", kit->budget);
    fputc('\n', stream);
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

/* grade.sh and what it reads, in one folder; only one lab, or all of them for NULL. */
static enum vl_status put_grading(struct vl_pack *pack, const struct vl_kit *kit,
                                  const char *folder, const struct vl_lab *only)
{
    char *script = vl_text_format("%sgrade.sh", folder);
    char *settings = vl_text_format("%ssettings.sh", folder);
    char *secret = vl_text_format("%scourse.secret", folder);
    enum vl_status status =
        script != NULL && settings != NULL && secret != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK)
        status = put(pack, kit, script, TEMPLATES "/shared/grade.sh");
    if (status == VL_OK)
        status = put_text(pack, settings, settings_of(kit, only));
    if (status == VL_OK && kit->secret != NULL)
        status = vl_pack_bytes(pack, secret, 0600, kit->secret, kit->secret_bytes);
    free(script);
    free(settings);
    free(secret);
    return status;
}

static enum vl_status put_image(struct vl_pack *pack, const struct vl_kit *kit)
{
    enum vl_status status = put(pack, kit, "image/Dockerfile", TEMPLATES "/shared/Dockerfile");
    if (status == VL_OK)
        status = put(pack, kit, "image/build.sh", TEMPLATES "/shared/build.sh");
    return status == VL_OK ? put_course(pack, kit, "image/course") : status;
}

/* ---- kits ---- */

static enum vl_status gradescope(struct vl_pack *pack, const struct vl_kit *kit)
{
    enum vl_status status = put(pack, kit, "setup.sh", TEMPLATES "/gradescope/setup.sh");
    if (status == VL_OK)
        status = put(pack, kit, "run_autograder", TEMPLATES "/gradescope/run_autograder");
    if (status == VL_OK)
        status = put(pack, kit, "build.sh", TEMPLATES "/shared/build.sh");
    if (status == VL_OK)
        status = put_grading(pack, kit, "", NULL);
    return status == VL_OK ? put_course(pack, kit, "course") : status;
}

static enum vl_status write_tar(const struct vl_kit *kit, char **bytes, size_t *n)
{
    struct vl_pack tar;
    FILE *stream = open_memstream(bytes, n);
    if (stream == NULL)
        return VL_ENOMEM;
    enum vl_status status = vl_pack_open(&tar, VL_PACK_TAR, stream);
    if (status == VL_OK)
        status = put_grading(&tar, kit, "", NULL);
    enum vl_status closed = vl_pack_close(&tar);
    status = status == VL_OK ? closed : status;
    return fclose(stream) == 0 || status != VL_OK ? status : VL_ENOMEM;
}

static enum vl_status autolab(struct vl_pack *pack, const struct vl_kit *kit)
{
    char *bytes = NULL;
    size_t n = 0;
    enum vl_status status = write_tar(kit, &bytes, &n);
    if (status == VL_OK)
        status = vl_pack_bytes(pack, "autograde.tar", 0644, bytes, n);
    free(bytes);
    if (status == VL_OK)
        status = put(pack, kit, "autograde-Makefile", TEMPLATES "/autolab/autograde-Makefile");
    return status == VL_OK ? put_image(pack, kit) : status;
}

static enum vl_status put_question(struct vl_pack *pack, const struct vl_kit *kit,
                                   const struct vl_lab *lab)
{
    char *info = vl_text_format("questions/%s/info.json", lab->folder);
    char *page = vl_text_format("questions/%s/question.html", lab->folder);
    char *run = vl_text_format("questions/%s/tests/run.sh", lab->folder);
    char *tests = vl_text_format("questions/%s/tests/", lab->folder);
    enum vl_status status =
        info != NULL && page != NULL && run != NULL && tests != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK)
        status = put_text(pack, info, vl_kit_question_info(kit, lab));
    if (status == VL_OK)
        status = put_text(pack, page, vl_kit_question_page(lab));
    if (status == VL_OK)
        status = put(pack, kit, run, TEMPLATES "/prairielearn/run.sh");
    if (status == VL_OK)
        status = put_grading(pack, kit, tests, lab);
    free(info);
    free(page);
    free(run);
    free(tests);
    return status;
}

static enum vl_status prairielearn(struct vl_pack *pack, const struct vl_kit *kit)
{
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < kit->lab_count && status == VL_OK; i++)
        status = put_question(pack, kit, kit->labs[i]);
    return status == VL_OK ? put_image(pack, kit) : status;
}

static enum vl_status github_classroom(struct vl_pack *pack, const struct vl_kit *kit)
{
    enum vl_status status = put(pack, kit, ".github/workflows/classroom.yml",
                                TEMPLATES "/github-classroom/classroom.yml");
    if (status == VL_OK)
        status = put(pack, kit, ".github/classroom/build.sh", TEMPLATES "/shared/build.sh");
    return status == VL_OK ? put_grading(pack, kit, ".github/classroom/", NULL) : status;
}

enum vl_status vl_kit_write(const struct vl_kit *kit, FILE *stream)
{
    static enum vl_status (*const writers[VL_PLATFORMS])(struct vl_pack *,
                                                         const struct vl_kit *) = {
        [VL_PLATFORM_GRADESCOPE] = gradescope,
        [VL_PLATFORM_AUTOLAB] = autolab,
        [VL_PLATFORM_PRAIRIELEARN] = prairielearn,
        [VL_PLATFORM_GITHUB_CLASSROOM] = github_classroom,
    };
    struct vl_pack pack;
    enum vl_status status = vl_pack_open(&pack, VL_PACK_ZIP, stream);
    if (status == VL_OK)
        status = writers[kit->platform](&pack, kit);
    int why = errno;
    enum vl_status closed = vl_pack_close(&pack);
    if (status == VL_OK)
        return closed;
    errno = why;
    return status;
}
