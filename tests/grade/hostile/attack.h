/*
 * What attempts share. check_hostile.py puts this text where a submission includes it.
 *
 * ATTACK { ... } defines the function that is graded: vl_rmsnorm_forward, in one case.
 */
#include "vialata/rmsnorm.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define UNUSED __attribute__((unused))
#define ATTACK                                                                                     \
    enum vl_status vl_rmsnorm_forward(UNUSED float *y, UNUSED float *inv_rms,                      \
                                      UNUSED const float *x, UNUSED const float *gain,             \
                                      UNUSED size_t n, UNUSED size_t d)

/* The right answer, for attempts that are after something else. */
UNUSED static void answer(float *y, float *inv_rms, const float *x, const float *gain, size_t n,
                          size_t d)
{
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < d; j++)
            sum += (double)x[i * d + j] * (double)x[i * d + j];
        inv_rms[i] = (float)(1 / sqrt(sum / (double)d + (double)VL_RMSNORM_EPS));
        for (size_t j = 0; j < d; j++)
            y[i * d + j] = gain[j] * x[i * d + j] * inv_rms[i];
    }
}
#define ANSWER answer(y, inv_rms, x, gain, n, d)

/* Tell the grader, on the board, that everything is finished; what is in the folder now counts. */
UNUSED static void finish_everything(void)
{
    int board = open("board.0", O_RDWR);
    (void)!pwrite(board, (int[2]){1, 1000000}, 8, 0);
    close(board);
}

/* A record in the results of rank 0, as the runner would append it. */
UNUSED static void forge_record(uint64_t number, const void *bytes, size_t n)
{
    uint64_t head[2] = {number, n};
    int file = open("results.0", O_WRONLY | O_APPEND);
    (void)!write(file, head, sizeof head);
    (void)!write(file, bytes, n);
    close(file);
}

UNUSED static void write_file(const char *name, const void *bytes, size_t n)
{
    int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    (void)!write(file, bytes, n);
    close(file);
}

/* An array of an input file, without the runner's own reader; NULL if it is not in there. */
UNUSED static const void *read_input(const char *path, const char *name)
{
    static char bytes[64 << 20];
    char key[64];
    size_t offset = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return NULL;
    (void)!fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(bytes + 8, key);
    if (at == NULL || (at = strstr(at, "data_offsets")) == NULL ||
        sscanf(strchr(at, '['), "[%zu", &offset) != 1)
        return NULL;
    return bytes + 8 + *(const uint64_t *)bytes + offset;
}

/* A word of this program's command line, without /proc: they lie one after another. 0 is the runner,
 * 1 what it does, 2 the folder. */
UNUSED static const char *command_word(int which)
{
    const char *word = program_invocation_name;
    for (int i = 0; i < which; i++)
        word += strlen(word) + 1;
    return word;
}

/* What the loader keeps of a file that is loaded ("/libmpi.so"), without asking it. */
UNUSED static const struct link_map *loaded_file(const char *file)
{
    const ElfW(Phdr) *part = (const void *)getauxval(AT_PHDR);
    uintptr_t base = (uintptr_t)part - part->p_vaddr; /* the first describes them */
    while (part->p_type != PT_DYNAMIC)
        part++;
    const ElfW(Dyn) *entry = (const void *)(base + part->p_vaddr);
    while (entry->d_tag != DT_DEBUG)
        entry++;
    const struct link_map *map = ((const struct r_debug *)entry->d_un.d_ptr)->r_map;
    if (strstr(command_word(0), file) != NULL)
        return map; /* the program itself is the first, and has no name there */
    while (map != NULL && strstr(map->l_name, file) == NULL)
        map = map->l_next;
    return map;
}

/* Where a function of this process is, by the names in a file that is loaded: no linker and no
 * loader is asked. */
UNUSED static void *look_up(const char *file, const char *name)
{
    const struct link_map *map = loaded_file(file);
    const char *path = map->l_name[0] != '\0' ? map->l_name : command_word(0);
    int open_file = open(path, O_RDONLY);
    struct stat info;
    fstat(open_file, &info);
    const char *bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, open_file, 0);
    const Elf64_Ehdr *head = (const void *)bytes;
    const Elf64_Shdr *sections = (const void *)(bytes + head->e_shoff);
    for (const Elf64_Shdr *s = sections; s < sections + head->e_shnum; s++) {
        const Elf64_Sym *symbols = (const void *)(bytes + s->sh_offset);
        for (size_t i = 0; i < s->sh_size / sizeof *symbols; i++)
            if ((s->sh_type == SHT_SYMTAB || s->sh_type == SHT_DYNSYM) &&
                symbols[i].st_value != 0 &&
                strcmp(bytes + sections[s->sh_link].sh_offset + symbols[i].st_name, name) == 0)
                return (void *)(map->l_addr + symbols[i].st_value);
    }
    return NULL;
}

UNUSED static void overwrite(void *function, const void *code, size_t n)
{
    void *page = (void *)((uintptr_t)function & ~(uintptr_t)4095);
    if (mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return;
    memcpy(function, code, n);
    __builtin___clear_cache((char *)function, (char *)function + n);
}

/* From now on a function returns 0, or NULL, at once. */
UNUSED static void make_it_return_nothing(void *function)
{
#if defined __x86_64__
    overwrite(function, "\x31\xc0\xc3", 3);
#else
    overwrite(function, "\xe0\x03\x1f\xaa\xc0\x03\x5f\xd6", 8);
#endif
}

/* From now on a function begins with a jump to 'own', whoever calls it. To define one of its name
 * would be refused. */
UNUSED static void take_over(void *function, void *own)
{
    char code[16];
#if defined __x86_64__
    memcpy(code, "\x48\xb8", 2); /* movabs to rax, jmp *rax */
    memcpy(code + 2, &own, 8);
    memcpy(code + 10, "\xff\xe0", 2);
    overwrite(function, code, 12);
#else
    memcpy(code, "\x50\x00\x00\x58\x00\x02\x1f\xd6", 8); /* ldr x16, what follows; br x16 */
    memcpy(code + 8, &own, 8);
    overwrite(function, code, 16);
#endif
}
