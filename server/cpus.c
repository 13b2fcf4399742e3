/*
 * cpus.c - counts the CPUs this process may use: the affinity mask says which ones, a cgroup quota
 * says for how much of the time. Containers are mostly limited by quota, which nproc does not see,
 * and twice as many workers as CPUs only make each tile take twice as long.
 * Sources: cgroups(7); Linux, Documentation/admin-guide/cgroup-v2.rst, "cpu.max";
 * Documentation/scheduler/sched-bwc.rst for v1.
 */
#include "server/cpus.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where a hierarchy is mounted and what its limit is called. The files, read one after the other,
 * give "quota period" in microseconds. */
struct hierarchy {
    const char *controller; /* as /proc/self/cgroup names it; v2 has an empty list */
    const char *mount;
    const char *files[2];
};

static const struct hierarchy hierarchies[] = {
    {"", "/sys/fs/cgroup", {"cpu.max", NULL}},
    /* v2 beside v1, as systemd's hybrid set-up mounts it */
    {"", "/sys/fs/cgroup/unified", {"cpu.max", NULL}},
    {"cpu", "/sys/fs/cgroup/cpu", {"cpu.cfs_quota_us", "cpu.cfs_period_us"}},
    /* the same hierarchy where the link "cpu" to it is missing */
    {"cpu", "/sys/fs/cgroup/cpu,cpuacct", {"cpu.cfs_quota_us", "cpu.cfs_period_us"}},
};

enum { HIERARCHIES = sizeof hierarchies / sizeof hierarchies[0] };

/* 2^20 CPUs. The kernel's own limit is 8192, so a mask that is still too small is another error. */
enum { MOST_CPUS = 1 << 20 };

/* The kernel refuses a mask smaller than its own, so grow until it fits. */
static int affinity_cpus(void)
{
    for (int cpus = CPU_SETSIZE; cpus <= MOST_CPUS; cpus *= 2) {
        cpu_set_t *set = CPU_ALLOC((size_t)cpus);
        if (set == NULL)
            break;
        size_t size = CPU_ALLOC_SIZE((size_t)cpus);
        bool known = sched_getaffinity(0, size, set) == 0;
        bool too_small = !known && errno == EINVAL;
        int count = known ? CPU_COUNT_S(size, set) : 0;
        CPU_FREE(set);
        if (known)
            return count;
        if (!too_small)
            break;
    }
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 && online <= INT_MAX ? (int)online : 1;
}

/* Appends the file to text as a string; a file that is not there adds nothing. */
static void append_file(char *text, size_t size, const char *path)
{
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return;
    size_t used = strlen(text);
    used += fread(text + used, 1, size - 1 - used, file);
    text[used] = '\0';
    fclose(file);
}

/* "150000 100000" is 2; "max 100000", "-1 100000" and anything unexpected is 0, no limit. */
static int quota_from_text(const char *text)
{
    char *end;
    errno = 0;
    long long quota = strtoll(text, &end, 10);
    long long period = strtoll(end, NULL, 10);
    if (errno != 0 || quota <= 0 || period <= 0)
        return 0;
    long long cpus = quota / period + (quota % period != 0);
    return cpus <= INT_MAX ? (int)cpus : INT_MAX;
}

static int smaller_limit(int a, int b)
{
    if (a == 0 || b == 0)
        return a + b;
    return a < b ? a : b;
}

/* The limit that one group sets itself. A path too long to be opened is a group without a limit. */
static int group_quota(const char *root, const struct hierarchy *h, const char *group)
{
    char text[128] = "";
    for (int i = 0; i < 2 && h->files[i] != NULL; i++) {
        char path[PATH_MAX];
        int len = snprintf(path, sizeof path, "%s%s%s/%s", root, h->mount, group, h->files[i]);
        if (len < 0 || (size_t)len >= sizeof path)
            return 0;
        append_file(text, sizeof text, path);
    }
    return quota_from_text(text);
}

/*
 * The smallest limit of a group and all its ancestors; shortens the group's path on the way. In a
 * container the path may be the host's, which is not mounted there: then only the last step, the
 * mount itself, finds a file, and that is the container's own group.
 */
static int path_quota(const char *root, const struct hierarchy *h, char *group)
{
    /* "/../…" is a group outside our cgroup namespace; we could only misread what is mounted. */
    if (strstr(group, "/..") != NULL)
        *group = '\0';
    for (int limit = 0;;) {
        char *slash = strrchr(group, '/');
        if (slash != NULL && slash[1] == '\0')
            *slash = '\0';
        limit = smaller_limit(limit, group_quota(root, h, group));
        slash = strrchr(group, '/');
        if (slash == NULL)
            return limit;
        *slash = '\0';
    }
}

/* Whether a comma-separated list has the name; an empty list has the empty name. */
static bool list_has(const char *list, const char *name)
{
    size_t len = strlen(name);
    for (const char *item = list;; item++) {
        size_t item_len = strcspn(item, ",");
        if (item_len == len && memcmp(item, name, len) == 0)
            return true;
        item += item_len;
        if (*item == '\0')
            return false;
    }
}

/* One line of /proc/self/cgroup: "number:controller,controller:/path". The path may have colons. */
static int line_quota(const char *root, char *line)
{
    line[strcspn(line, "\n")] = '\0';
    char *controllers = strchr(line, ':');
    char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
    if (group == NULL)
        return 0;
    *group++ = '\0';
    controllers++;

    int limit = 0;
    for (int i = 0; i < HIERARCHIES; i++) {
        char *path = list_has(controllers, hierarchies[i].controller) ? strdup(group) : NULL;
        if (path != NULL)
            limit = smaller_limit(limit, path_quota(root, &hierarchies[i], path));
        free(path);
    }
    return limit;
}

int cpus_quota(const char *root)
{
    char path[PATH_MAX];
    int len = snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = len > 0 && (size_t)len < sizeof path ? fopen(path, "re") : NULL;
    if (file == NULL)
        return 0;

    int limit = 0;
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, file) > 0)
        limit = smaller_limit(limit, line_quota(root, line));
    free(line);
    fclose(file);
    return limit;
}

int cpus_available(const char *root)
{
    int cpus = smaller_limit(affinity_cpus(), cpus_quota(root));
    return cpus > 0 ? cpus : 1;
}
