#include "sandbox/wall.h"

#include "base/path.h"
#include "base/place.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCRATCH_BYTES (256 << 20) /* of /tmp, of /dev/shm and of the folder each; it is memory */

/* Programs and libraries. What is a link on this system is one behind the wall. */
static const char *const system_folders[] = {"/usr",   "/bin", "/sbin",      "/lib",      "/lib32",
                                             "/lib64", "/opt", "/nix/store", "/gnu/store"};

/* What the loader, the compiler's driver and mpirun read. Nothing here names a person. */
static const char *const settings[] = {
    "/etc/ld.so.cache",  "/etc/ld.so.conf",    "/etc/ld.so.conf.d",
    "/etc/alternatives", "/etc/openmpi",       "/etc/pmix-mca-params.conf",
    "/etc/localtime",    "/sys/devices/system" /* cores and caches, for hwloc */};

/* The same path on both sides. */
static void put_path(struct vl_words *words, const char *how, const char *path)
{
    vl_words_add(words, "%s", how);
    vl_words_add(words, "%s", path);
    vl_words_add(words, "%s", path);
}

static void put_settings(struct vl_words *words, const struct vl_wall *wall)
{
    if (wall->kind == VL_WALL_WITHIN) { /* there is nothing else in it behind the wall around */
        put_path(words, "--ro-bind-try", "/etc");
        put_path(words, "--ro-bind-try", "/sys/devices/system");
        return;
    }
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        put_path(words, "--ro-bind-try", settings[i]);
}

static void put_system(struct vl_words *words)
{
    for (size_t i = 0; i < sizeof system_folders / sizeof *system_folders; i++) {
        const char *folder = system_folders[i];
        char target[PATH_MAX];
        ssize_t length = readlink(folder, target, sizeof target - 1);
        if (length > 0) {
            target[length] = '\0';
            vl_words_add(words, "--symlink");
            vl_words_add(words, "%s", target);
        } else {
            vl_words_add(words, "--ro-bind-try");
            vl_words_add(words, "%s", folder);
        }
        vl_words_add(words, "%s", folder);
    }
}

static bool is_below_system(const char *path)
{
    for (size_t i = 0; i < sizeof system_folders / sizeof *system_folders; i++)
        if (strcmp(path, system_folders[i]) != 0 && vl_path_is_below(path, system_folders[i]))
            return true;
    return false;
}

/* An empty folder in its place. */
static void hide(struct vl_words *words, const char *path)
{
    char *whole = path != NULL ? vl_path_absolute(path) : NULL;
    struct stat info;
    words->failed |= whole == NULL;
    if (whole != NULL && is_below_system(whole) && stat(whole, &info) == 0 &&
        S_ISDIR(info.st_mode)) {
        vl_words_add(words, "--tmpfs");
        vl_words_add(words, "%s", whole);
        vl_words_add(words, "--remount-ro");
        vl_words_add(words, "%s", whole);
    }
    free(whole);
}

/* The course may itself lie among the system's folders: installed below /usr, or cloned there. */
static void hide_course(struct vl_words *words)
{
    static const char *const folders[] = {"root", "build",     "share",
                                          "labs", "solutions", "mistakes"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char *path = vl_place_path(folders[i], NULL);
        if (vl_place_text(folders[i])[0] != '\0')
            hide(words, path);
        free(path);
    }
    char **archives = vl_place_list("solution_archives");
    char *last = archives != NULL && archives[0] != NULL ? strrchr(archives[0], '/') : NULL;
    if (last != NULL) { /* they lie in one folder */
        *last = '\0';
        hide(words, archives[0]);
    }
    vl_place_list_free(archives);
}

/* An empty folder in memory. */
static void put_memory(struct vl_words *words, const char *path, const struct vl_wall *wall)
{
    vl_words_add(words, "--size");
    vl_words_add(words, "%d", SCRATCH_BYTES / (wall->share > 0 ? wall->share : 1));
    vl_words_add(words, "--tmpfs");
    vl_words_add(words, "%s", path);
}

static void put_own(struct vl_words *words, const struct vl_wall *wall)
{
    if (wall->kind != VL_WALL_WITHIN) /* pagemap tells a rank which pages others have mapped too */
        vl_words_add_all(words, (const char *const[]){"--proc", "/proc", NULL});
    vl_words_add_all(words, (const char *const[]){"--dev", "/dev", NULL});
    put_memory(words, "/dev/shm", wall);
    vl_words_add_all(words, (const char *const[]){"--remount-ro", "/dev", NULL});
    put_memory(words, "/tmp", wall);
    if (wall->kind == VL_WALL_AROUND && wall->cables)
        put_memory(words, "/run", wall); /* where networks have their names */
    vl_words_add_all(words, (const char *const[]){"--dir", "/var/tmp", NULL});
}

static void put_folder(struct vl_words *words, const struct vl_wall *wall)
{
    if (wall->writes == NULL) {
        put_path(words, "--bind", wall->folder);
        return;
    }
    put_memory(words, wall->folder, wall);
    for (const char *const *path = wall->writes; *path != NULL; path++)
        put_path(words, "--bind", *path);
}

static void put_namespaces(struct vl_words *words, const struct vl_wall *wall)
{
    static const char *const networks[] = {"--cap-add", "CAP_SYS_ADMIN", "--cap-add",
                                           "CAP_NET_ADMIN", NULL};
    vl_words_add_all(words, (const char *const[]){
                                "--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts",
                                "--unshare-cgroup-try", "--die-with-parent", NULL});
    if (wall->kind == VL_WALL_AROUND && wall->cables)
        vl_words_add_all(words, networks);
    if (wall->kind != VL_WALL_AROUND)
        vl_words_add(words, "--disable-userns");
    /* A rank is not process 1: that one would survive signals that end a process. */
    if (wall->kind != VL_WALL_WITHIN)
        vl_words_add_all(words, (const char *const[]){"--unshare-net", "--as-pid-1", NULL});
}

void vl_wall_put(struct vl_words *words, const struct vl_wall *wall)
{
    vl_words_add(words, "bwrap");
    put_namespaces(words, wall);
    put_system(words);
    put_settings(words, wall);
    hide_course(words);
    put_own(words, wall);
    for (const char *const *path = wall->sees; *path != NULL; path++)
        put_path(words, "--ro-bind", *path);
    put_folder(words, wall);
    vl_words_add_all(words, (const char *const[]){"--remount-ro", "/", NULL});
    if (wall->kind != VL_WALL_WITHIN || wall->cables) {
        vl_words_add(words, "--seccomp");
        vl_words_add(words, "%d", wall->filter);
    }
    vl_words_add(words, "--chdir");
    vl_words_add(words, "%s", wall->where);
    vl_words_add(words, "--");
}
