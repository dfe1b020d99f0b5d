#include "cli/shared/checks.h"

#include "base/machine/blas_kernels.h"
#include "base/number.h"
#include "base/path.h"
#include "base/place.h"
#include "base/text.h"
#include "cli/run/job.h"
#include "sandbox/isolation.h"
#include "sandbox/machine.h"
#include "sandbox/scratch/scratch.h"
#include <dlfcn.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEMORY_LEAST ((uint64_t)1 << 30)   /* a grading with eight ranks */
#define DISK_LEAST   ((uint64_t)200 << 20) /* a build, its inputs and its outputs */

/* ---- asking programs ---- */

/* The first line that a program prints. Its exit status, or -1 if there was no such line. */
static int ask_line(char what[256], const char *const *words)
{
    int ends[2], status = 0;
    if (words[0] == NULL || pipe(ends) != 0)
        return -1;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        execv(words[0], (char *const *)words);
        _exit(127);
    }
    close(ends[1]);
    FILE *answer = fdopen(ends[0], "r");
    int found = answer != NULL && fgets(what, 256, answer) != NULL;
    what[found ? strcspn(what, "\n") : 0] = '\0';
    while (found && fgetc(answer) != EOF) /* read it all: SIGPIPE would spoil its exit status */
        ;
    if (answer != NULL)
        fclose(answer);
    else
        close(ends[0]);
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !found)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void ask_program(struct vl_check *check, const char *name)
{
    char *program = vl_path_program(name);
    const char *const words[] = {program, "--version", NULL};
    check->found = ask_line(check->what, words) >= 0;
    free(program);
}

static void ask_compiler(struct vl_check *check)
{
    ask_program(check, vl_place_text("compiler"));
}

static void ask_cmake(struct vl_check *check)
{
    ask_program(check, "cmake");
}

static void ask_mpirun(struct vl_check *check)
{
    char *program = vl_job_mpirun();
    ask_program(check, program != NULL ? program : "");
    free(program);
}

static void ask_gdb(struct vl_check *check)
{
    ask_program(check, "gdb");
}

/* Ask the Python that builds the book for Sphinx and the modules that the book needs with it; what
 * is missing is named. */
static void ask_sphinx(struct vl_check *check)
{
    static const char script[] = "from importlib.util import find_spec\n"
                                 "def lacks(name):\n"
                                 "    try: return find_spec(name) is None\n"
                                 "    except ImportError: return True\n"
                                 "missing = [name for name in ('sphinx', 'myst_parser', 'furo')"
                                 " if lacks(name)]\n"
                                 "if missing: raise SystemExit(print(', '.join(missing)) or 1)\n"
                                 "import sphinx\n"
                                 "print('sphinx', sphinx.__version__)\n";
    const char *name = vl_place_text("sphinx_python");
    char *python = vl_path_program(name[0] != '\0' ? name : "/usr/bin/python3");
    const char *const words[] = {python, "-c", script, NULL};
    check->found = ask_line(check->what, words) == 0;
    if (check->what[0] == '\0')
        strcpy(check->what, "sphinx, myst_parser, furo");
    free(python);
}

/* ---- libraries and files ---- */

static void ask_openblas(struct vl_check *check)
{
    const char *kernels = vl_blas_kernels();
    if (kernels != NULL)
        setenv("OPENBLAS_CORETYPE", kernels, 1); /* as the programs that we start have it */
    void *library = dlopen("libopenblas.so.0", RTLD_LAZY);
    if (library == NULL)
        library = dlopen("libopenblas.so", RTLD_LAZY);
    if (library == NULL)
        return;
    check->found = 1;
    char *(*core)(void) = (char *(*)(void))(uintptr_t)dlsym(library, "openblas_get_corename");
    int (*threads)(void) = (int (*)(void))(uintptr_t)dlsym(library, "openblas_get_num_threads");
    if (core != NULL && threads != NULL)
        snprintf(check->what, sizeof check->what, _("for %1$s, threads at most: %2$d"), core(),
                 threads());
}

static int readable(const char *below)
{
    char *path = vl_place_path("share", below);
    int found = path != NULL && access(path, R_OK) == 0;
    free(path);
    return found;
}

static void ask_locales(struct vl_check *check)
{
    static const char *const languages[] = {"fr", "pt_BR", "es", "sk"};
    char below[128];
    check->found = readable("locpath");
    strcpy(check->what, "en");
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++) {
        snprintf(below, sizeof below, "locale/%s/LC_MESSAGES/" VL_TEXT_DOMAIN ".mo", languages[i]);
        if (!readable(below)) {
            check->found = 0;
            continue;
        }
        strcat(check->what, " ");
        strcat(check->what, languages[i]);
    }
}

static void ask_texts(struct vl_check *check)
{
    char below[128];
    snprintf(below, sizeof below, "texts/%s", vl_text_language());
    check->found = readable(below);
    snprintf(check->what, sizeof check->what, "%s", check->found ? vl_text_language() : "");
}

/* ---- the machine ---- */

static void ask_cores(struct vl_check *check)
{
    cpu_set_t set;
    int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    check->found = 1;
    snprintf(check->what, sizeof check->what,
             VL_NGETTEXT("%d core: that many ranks can be timed; more can run, untimed",
                         "%d cores: that many ranks can be timed; more can run, untimed",
                         (unsigned long)cores),
             cores);
}

static void ask_memory(struct vl_check *check)
{
    char number[VL_NUMBER_TEXT];
    uint64_t bytes = vl_machine_memory();
    check->found = bytes >= MEMORY_LEAST;
    snprintf(check->what, sizeof check->what, _("%s free"), vl_number_bytes(number, bytes));
}

static void ask_disk(struct vl_check *check)
{
    const char *folder = getenv("TMPDIR");
    struct statvfs disk;
    char number[VL_NUMBER_TEXT];
    if (folder == NULL || folder[0] == '\0')
        folder = "/tmp";
    uint64_t bytes = statvfs(folder, &disk) == 0 ? (uint64_t)disk.f_bavail * disk.f_frsize : 0;
    int writable = access(folder, W_OK | X_OK) == 0;
    check->found = bytes >= DISK_LEAST && writable;
    if (!writable)
        check->remedy = N_("Set TMPDIR to an existing folder that you may write to.");
    snprintf(check->what, sizeof check->what, _("%1$s free in %2$.150s"),
             vl_number_bytes(number, bytes), folder);
}

static const char *isolation_words(const struct vl_sandbox *sandbox)
{
    if (sandbox->walled && sandbox->nests && !sandbox->cables)
        return _("bubblewrap, but ranks see each other's ports: iproute2 or the kernel's veth is "
                 "missing");
    return sandbox->walled  ? _("bubblewrap: submissions see the compiler and themselves")
           : sandbox->apart ? _("submissions run under a user of their own")
                            : _("submissions run under your own name");
}

/* Tried as grading would do it. */
static void ask_sandbox(struct vl_check *check)
{
    struct vl_sandbox sandbox = {0};
    char *scratch = NULL, *folder = NULL;
    if (vl_scratch_create(&scratch) == VL_OK)
        folder = vl_path_join(scratch, "run");
    if (folder != NULL && vl_sandbox_open(&sandbox, folder) == VL_OK)
        (void)vl_isolation_choose(&sandbox, true);
    check->found = sandbox.walled;
    snprintf(check->what, sizeof check->what, "%s", isolation_words(&sandbox));
    vl_sandbox_close(&sandbox);
    vl_scratch_remove(scratch);
    free(folder);
    free(scratch);
}

static const struct {
    struct vl_check check;
    void (*ask)(struct vl_check *check);
} questions[] = {
    {{.id = "compiler",
      .name = N_("C compiler"),
      .needed = 1,
      .remedy = N_("Install gcc: it compiles what you write.")},
     ask_compiler},
    {{.id = "cmake",
      .name = N_("CMake"),
      .needed = 1,
      .remedy = N_("Install cmake (3.25 or newer): it builds vialata.")},
     ask_cmake},
    {{.id = "mpirun",
      .name = N_("Open MPI"),
      .needed = 1,
      .remedy = N_("Install Open MPI (openmpi-bin and libopenmpi-dev): it starts the ranks.")},
     ask_mpirun},
    {{.id = "openblas",
      .name = N_("OpenBLAS"),
      .needed = 1,
      .remedy = N_("Install OpenBLAS (libopenblas-dev): it multiplies matrices.")},
     ask_openblas},
    {{.id = "cores", .name = N_("Processor"), .needed = 1}, ask_cores},
    {{.id = "memory",
      .name = N_("Memory"),
      .needed = 1,
      .remedy = N_("Close other programs: grading needs about one gibibyte.")},
     ask_memory},
    {{.id = "disk",
      .name = N_("Room for scratch files"),
      .needed = 1,
      .remedy = N_("Make room there, or set TMPDIR to a folder with 200 MiB to spare.")},
     ask_disk},
    {{.id = "locales",
      .name = N_("Languages"),
      .needed = 0,
      .remedy = N_("Install gettext and locales, and build again with `./vialata`: until then "
                   "everything is in English.")},
     ask_locales},
    {{.id = "texts",
      .name = N_("Course texts"),
      .needed = 0,
      .remedy = N_("Build the texts with `./vialata`: until then `explain` shows the source.")},
     ask_texts},
    {{.id = "sphinx",
      .name = N_("Sphinx"),
      .needed = 0,
      .remedy = N_("Install python3-sphinx, python3-myst-parser and furo to build the book.")},
     ask_sphinx},
    {{.id = "gdb",
      .name = N_("Debugger"),
      .needed = 0,
      .remedy = N_("Install gdb to use `grade --gdb`.")},
     ask_gdb},
    {{.id = "sandbox",
      .name = N_("Sandbox"),
      .needed = 0,
      .remedy =
          N_("Fine for your own code. To grade what others wrote, install bubblewrap. If it is "
             "installed, this system or container forbids user namespaces, which it needs.")},
     ask_sandbox},
};
#define QUESTIONS (sizeof questions / sizeof *questions)
_Static_assert(QUESTIONS <= VL_CHECKS_MOST, "a place for every question");

int vl_check_make(struct vl_check *check, const char *id)
{
    for (size_t i = 0; i < QUESTIONS; i++)
        if (strcmp(questions[i].check.id, id) == 0) {
            *check = questions[i].check;
            questions[i].ask(check);
            return check->found;
        }
    return 0;
}

bool vl_checks_can_build(void)
{
    return vl_place_text("build")[0] != '\0';
}

/* Is it about building alone? */
static bool is_of_build(const char *id)
{
    return strcmp(id, "cmake") == 0 || strcmp(id, "sphinx") == 0;
}

size_t vl_checks_make(struct vl_check checks[VL_CHECKS_MOST])
{
    size_t count = 0;
    for (size_t i = 0; i < QUESTIONS; i++) {
        if (is_of_build(questions[i].check.id) && !vl_checks_can_build())
            continue;
        struct vl_check *check = &checks[count++];
        *check = questions[i].check;
        questions[i].ask(check);
    }
    return count;
}
