/*
 * test_cpus.c - the quota is read from made-up /proc and /sys trees; the affinity is this
 * machine's.
 */
#include "server/cpus.h"
#include "tests/suites.h"

#include <ftw.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char root[] = "/tmp/noisetile-cpus-XXXXXX";

static void make_root(void)
{
    ck_assert_ptr_nonnull(mkdtemp(root));
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

static void remove_root(void)
{
    nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Writes root + name, with the folders it needs. */
static void put(const char *name, const char *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s%s", root, name);
    for (char *slash = strchr(path + strlen(root) + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static int affinity(void)
{
    cpu_set_t set;
    ck_assert_int_eq(sched_getaffinity(0, sizeof set, &set), 0);
    return CPU_COUNT(&set);
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

START_TEST(without_cgroups_the_affinity_counts)
{
    ck_assert_int_eq(cpus_quota(root), 0);
    ck_assert_int_eq(cpus_available(root), affinity());
    ck_assert_int_ge(cpus_available(""), 1);
    ck_assert_int_le(cpus_available(""), affinity());
}
END_TEST

START_TEST(a_narrower_affinity_is_seen)
{
    cpu_set_t all, one;
    ck_assert_int_eq(sched_getaffinity(0, sizeof all, &all), 0);
    size_t cpu = 0;
    while (!CPU_ISSET(cpu, &all))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
    ck_assert_int_eq(cpus_available(root), 1);
}
END_TEST

/* One group at the mount itself, as a container with its own cgroup namespace sees it. */
static const struct {
    const char *cpu_max;
    int quota;
} limits[] = {
    {"max 100000\n", 0},
    {"100000 100000\n", 1},
    {"100001 100000\n", 2},
    {"150000 100000\n", 2},
    {"1000 100000\n", 1},
    {"250000 50000", 5},
    {"1 1000000\n", 1},
    {"9223372036854775807 1\n", 2147483647},
    {"", 0},
    {"rubbish", 0},
    {"100000", 0},
    {"100000 0\n", 0},
    {"-5 100000\n", 0},
    {"99999999999999999999 100000\n", 0},
};

START_TEST(a_quota_is_rounded_up_and_none_is_none)
{
    put("/proc/self/cgroup", "0::/\n");
    put("/sys/fs/cgroup/cpu.max", limits[_i].cpu_max);
    int quota = limits[_i].quota;
    ck_assert_int_eq(cpus_quota(root), quota);
    ck_assert_int_eq(cpus_available(root), quota > 0 ? smaller(quota, affinity()) : affinity());
}
END_TEST

START_TEST(the_smallest_quota_of_all_ancestors_wins)
{
    put("/proc/self/cgroup", "0::/a/b/c\n");
    put("/sys/fs/cgroup/a/b/c/cpu.max", "max 100000\n");
    ck_assert_int_eq(cpus_quota(root), 0);
    put("/sys/fs/cgroup/cpu.max", "900000 100000\n");
    ck_assert_int_eq(cpus_quota(root), 9);
    put("/sys/fs/cgroup/a/cpu.max", "300000 100000\n");
    ck_assert_int_eq(cpus_quota(root), 3);
    put("/sys/fs/cgroup/a/b/cpu.max", "700000 100000\n");
    ck_assert_int_eq(cpus_quota(root), 3);
    put("/sys/fs/cgroup/a/b/c/cpu.max", "200000 100000\n");
    ck_assert_int_eq(cpus_quota(root), 2);
}
END_TEST

START_TEST(a_sibling_or_child_group_does_not_count)
{
    put("/proc/self/cgroup", "0::/a/b\n");
    put("/sys/fs/cgroup/a/b/c/cpu.max", "100000 100000\n");
    put("/sys/fs/cgroup/a/x/cpu.max", "100000 100000\n");
    put("/sys/fs/cgroup/b/cpu.max", "100000 100000\n");
    put("/sys/fs/cgroup/a/b/cpu.max", "400000 100000\n");
    ck_assert_int_eq(cpus_quota(root), 4);
}
END_TEST

START_TEST(the_hosts_path_in_a_container_falls_back_to_the_mount)
{
    put("/proc/self/cgroup", "0::/docker/0123456789abcdef\n");
    put("/sys/fs/cgroup/cpu.max", "250000 100000\n");
    ck_assert_int_eq(cpus_quota(root), 3);
}
END_TEST

START_TEST(a_path_outside_the_namespace_is_not_followed)
{
    put("/proc/self/cgroup", "0::/../neighbour\n");
    put("/sys/fs/neighbour/cpu.max", "100000 100000\n");
    put("/sys/fs/cgroup/cpu.max", "600000 100000\n");
    ck_assert_int_eq(cpus_quota(root), 6);
}
END_TEST

START_TEST(colons_in_a_group_name_are_part_of_it)
{
    put("/proc/self/cgroup", "0::/cri:x:y\n");
    put("/sys/fs/cgroup/cri:x:y/cpu.max", "200000 100000\n");
    ck_assert_int_eq(cpus_quota(root), 2);
}
END_TEST

START_TEST(version_1_has_its_quota_in_two_files)
{
    put("/proc/self/cgroup", "5:memory:/m\n4:cpuset:/s\n3:cpu,cpuacct:/box\n1:name=systemd:/box\n");
    put("/sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "50000\n");
    put("/sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "-1\n");
    ck_assert_int_eq(cpus_quota(root), 0);
    put("/sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "125000\n");
    ck_assert_int_eq(cpus_quota(root), 3);
    put("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n");
    ck_assert_int_eq(cpus_quota(root), 2);
}
END_TEST

START_TEST(version_1_without_the_short_link_is_found_too)
{
    put("/proc/self/cgroup", "3:cpuacct,cpu:/box\n");
    put("/sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us", "100000\n");
    put("/sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "400000\n");
    ck_assert_int_eq(cpus_quota(root), 4);
}
END_TEST

START_TEST(only_the_cpu_controller_of_version_1_counts)
{
    put("/proc/self/cgroup", "3:cpuset,cpuacct:/box\n");
    put("/sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000\n");
    put("/sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "100000\n");
    ck_assert_int_eq(cpus_quota(root), 0);
}
END_TEST

START_TEST(both_versions_mounted_give_the_smaller_quota)
{
    put("/proc/self/cgroup", "3:cpu:/one\n0::/two\n");
    put("/sys/fs/cgroup/cpu/one/cpu.cfs_period_us", "100000\n");
    put("/sys/fs/cgroup/cpu/one/cpu.cfs_quota_us", "700000\n");
    put("/sys/fs/cgroup/unified/two/cpu.max", "500000 100000\n");
    ck_assert_int_eq(cpus_quota(root), 5);
}
END_TEST

START_TEST(a_damaged_or_endless_cgroup_file_means_no_quota)
{
    put("/sys/fs/cgroup/cpu.max", "100000 100000\n");
    put("/proc/self/cgroup", "");
    ck_assert_int_eq(cpus_quota(root), 0);
    put("/proc/self/cgroup", "0\n0:\n\n:\nno colon");
    ck_assert_int_eq(cpus_quota(root), 0);

    static char longer_than_a_path[20000] = "0::";
    memset(longer_than_a_path + 3, '/', 8000);
    memset(longer_than_a_path + 8003, 'x', sizeof longer_than_a_path - 8004);
    put("/proc/self/cgroup", longer_than_a_path);
    ck_assert_int_le(cpus_quota(root), 1);
}
END_TEST

Suite *cpus_suite(void)
{
    Suite *suite = suite_create("cpus");
    TCase *tc = tcase_create("cpus");
    tcase_add_checked_fixture(tc, make_root, remove_root);
    tcase_add_test(tc, without_cgroups_the_affinity_counts);
    tcase_add_test(tc, a_narrower_affinity_is_seen);
    tcase_add_loop_test(tc, a_quota_is_rounded_up_and_none_is_none, 0,
                        (int)(sizeof limits / sizeof limits[0]));
    tcase_add_test(tc, the_smallest_quota_of_all_ancestors_wins);
    tcase_add_test(tc, a_sibling_or_child_group_does_not_count);
    tcase_add_test(tc, the_hosts_path_in_a_container_falls_back_to_the_mount);
    tcase_add_test(tc, a_path_outside_the_namespace_is_not_followed);
    tcase_add_test(tc, colons_in_a_group_name_are_part_of_it);
    tcase_add_test(tc, version_1_has_its_quota_in_two_files);
    tcase_add_test(tc, version_1_without_the_short_link_is_found_too);
    tcase_add_test(tc, only_the_cpu_controller_of_version_1_counts);
    tcase_add_test(tc, both_versions_mounted_give_the_smaller_quota);
    tcase_add_test(tc, a_damaged_or_endless_cgroup_file_means_no_quota);
    suite_add_tcase(suite, tc);
    return suite;
}
