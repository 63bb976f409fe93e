// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include <glob.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "doctor.h"

enum { PATH_ROOM = 512, LINE_ROOM = 512, PRIORITY_WANTED = 80, LOOPS = 3 };

static const double LOCK_WANTED = 512e6; // bytes

// ---- small tools ------------------------------------------------------------------------------------------------

finding* doctor_find(findings* list, const char* topic, verdict v, const char* format, ...) {
    finding* f = &list->items[list->count < FINDINGS_MOST ? list->count++ : FINDINGS_MOST - 1];
    va_list arguments;
    f->topic = topic;
    f->verdict = v;
    f->remedy[0] = '\0';
    va_start(arguments, format);
    (void)vsnprintf(f->text, sizeof f->text, format, arguments);
    va_end(arguments);
    return f;
}

void doctor_advise(finding* f, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(f->remedy, sizeof f->remedy, format, arguments);
    va_end(arguments);
}

/// First line of a file under root; false when there is none.
static bool first_line(const char* root, const char* path, char* line) {
    char whole[PATH_ROOM];
    (void)snprintf(whole, sizeof whole, "%s%s", root, path);
    FILE* file = fopen(whole, "r");
    line[0] = '\0';
    if (!file) return false;
    bool any = fgets(line, LINE_ROOM, file) != NULL;
    fclose(file);
    line[strcspn(line, "\n")] = '\0';
    return any;
}

// ---- what is permitted --------------------------------------------------------------------------------------------

static void look_at_priority(findings* list, const sn_realtime_limits* limits) {
    if (limits->priority >= PRIORITY_WANTED) {
        doctor_find(list, "real-time priority", VERDICT_FINE, "SCHED_FIFO up to %d",
                    limits->priority);
        return;
    }
    finding* f =
        limits->priority > 0
            ? doctor_find(list, "real-time priority", VERDICT_BETTER,
                          "SCHED_FIFO only up to %d; the haptic loop wants %d", limits->priority,
                          PRIORITY_WANTED)
            : doctor_find(list, "real-time priority", VERDICT_BETTER,
                          "SCHED_FIFO is not permitted: other programs can delay the haptic loop");
    doctor_advise(f, "sudo groupadd -f realtime && sudo usermod -aG realtime $USER; put the line "
                     "`@realtime - rtprio 99` into /etc/security/limits.conf; log in again");
}

static void look_at_locking(findings* list, const sn_realtime_limits* limits) {
    if (limits->lock_most >= LOCK_WANTED) {
        doctor_find(list, "locked memory", VERDICT_FINE, "as much as is needed");
        return;
    }
    finding* f = doctor_find(list, "locked memory", VERDICT_BETTER,
                             "only %.3g MB may be locked: a page that is fetched from disk delays "
                             "the haptic loop by milliseconds",
                             limits->lock_most * 1e-6);
    doctor_advise(f, "put the line `@realtime - memlock unlimited` into /etc/security/limits.conf "
                     "and log in again");
}

static void look_at_processors(findings* list, const sn_realtime_limits* limits) {
    if (limits->cpus >= LOOPS)
        doctor_find(list, "processors", VERDICT_FINE, "%d", limits->cpus);
    else
        doctor_find(list, "processors", VERDICT_BETTER,
                    "%d; simulation, coupling and haptics would each like one", limits->cpus);
}

// ---- how the machine is set up --------------------------------------------------------------------------------------

static void look_at_governor(findings* list, const char* root) {
    char pattern[PATH_ROOM], line[LINE_ROOM], other[LINE_ROOM] = "";
    glob_t files;
    int count = 0, slow = 0;
    (void)snprintf(pattern, sizeof pattern,
                   "%s/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor", root);
    if (glob(pattern, 0, NULL, &files) == 0) {
        for (size_t i = 0; i < files.gl_pathc; i++) {
            if (!first_line("", files.gl_pathv[i], line)) continue;
            count++;
            if (strcmp(line, "performance") == 0) continue;
            slow++;
            memcpy(other, line, sizeof other);
        }
        globfree(&files);
    }
    if (count == 0) {
        doctor_find(list, "processor speed", VERDICT_FINE, "is not the system's to choose");
    } else if (slow == 0) {
        doctor_find(list, "processor speed", VERDICT_FINE, "governor performance");
    } else {
        finding* f =
            doctor_find(list, "processor speed", VERDICT_BETTER,
                        "governor %.40s on %d of %d processors: they slow down between two "
                        "ticks, and wake up late",
                        other, slow, count);
        doctor_advise(f, "sudo cpupower frequency-set -g performance");
    }
}

static bool has_word(const char* line, const char* word) {
    const char* at = strstr(line, word);
    size_t n = strlen(word);
    return at && (at[n] == '\0' || at[n] == ' ');
}

static void look_at_kernel(findings* list, const char* root) {
    char line[LINE_ROOM], version[LINE_ROOM], command[LINE_ROOM];
    struct utsname system = {0};
    (void)uname(&system);
    if (!first_line(root, "/proc/sys/kernel/version", version))
        (void)snprintf(version, sizeof version, "%s", system.version);
    (void)first_line(root, "/proc/cmdline", command);
    bool realtime = (first_line(root, "/sys/kernel/realtime", line) && line[0] == '1') ||
                    has_word(version, "PREEMPT_RT");
    bool full = has_word(version, "PREEMPT") || has_word(command, "preempt=full");
    if (realtime) {
        doctor_find(list, "kernel", VERDICT_FINE, "real-time (PREEMPT_RT)");
    } else if (full) {
        doctor_find(list, "kernel", VERDICT_FINE, "preemptible");
    } else {
        bool can = has_word(version, "PREEMPT_DYNAMIC");
        finding* f = doctor_find(list, "kernel", VERDICT_BETTER,
                                 "%s: work of the kernel can delay a loop by milliseconds",
                                 can ? "preemption is chosen when it starts" : "not preemptible");
        doctor_advise(f,
                      can ? "add preempt=full to the kernel's command line (GRUB_CMDLINE_LINUX in "
                            "/etc/default/grub, then sudo update-grub), or install a PREEMPT_RT "
                            "kernel (Debian: linux-image-rt-amd64)"
                          : "install a PREEMPT_RT kernel (Debian: linux-image-rt-amd64)");
    }
}

static void look_at_clock_source(findings* list, const char* root) {
    static const char* const quick[] = {"tsc", "kvm-clock", "arch_sys_counter",
                                        "hyperv_clocksource_tsc_page"};
    char line[LINE_ROOM];
    if (!first_line(root, "/sys/devices/system/clocksource/clocksource0/current_clocksource",
                    line)) {
        doctor_find(list, "clock source", VERDICT_BETTER, "not known");
        return;
    }
    for (size_t i = 0; i < sizeof quick / sizeof quick[0]; i++) {
        if (strcmp(line, quick[i]) != 0) continue;
        doctor_find(list, "clock source", VERDICT_FINE, "%s", quick[i]);
        return;
    }
    finding* f = doctor_find(list, "clock source", VERDICT_BETTER,
                             "%.40s: asking for the time is slow", line);
    doctor_advise(f, "look at `dmesg | grep -i clocksource` for why tsc was given up; "
                     "tsc=reliable on the kernel's command line, if the machine is sound");
}

static void look_at_throttling(findings* list, const char* root) {
    char line[LINE_ROOM];
    long us = 0;
    if (!first_line(root, "/proc/sys/kernel/sched_rt_runtime_us", line) ||
        sscanf(line, "%ld", &us) != 1)
        return; // newer kernels do without
    if (us < 0 || us >= 900000) {
        doctor_find(list, "real-time budget", VERDICT_FINE, "%s",
                    us < 0 ? "all of each second" : "most of each second");
        return;
    }
    finding* f = doctor_find(list, "real-time budget", us == 0 ? VERDICT_BROKEN : VERDICT_BETTER,
                             "real-time threads may run for %ld us of each second", us);
    doctor_advise(f, "sudo sysctl kernel.sched_rt_runtime_us=950000");
}

static void look_for_container(findings* list, const char* root) {
    static const char* const marks[] = {"/.dockerenv", "/run/.containerenv"};
    char path[PATH_ROOM];
    bool inside = false;
    for (int i = 0; i < 2; i++) {
        (void)snprintf(path, sizeof path, "%s%s", root, marks[i]);
        inside = inside || access(path, F_OK) == 0;
    }
    if (!inside) {
        doctor_find(list, "container", VERDICT_FINE, "none");
        return;
    }
    finding* f = doctor_find(list, "container", VERDICT_BETTER,
                             "inside one: devices and real-time priority must be passed to it");
    doctor_advise(f, "docker run --device=/dev/bus/usb --device=/dev/ttyACM0 --cap-add=SYS_NICE "
                     "--ulimit rtprio=99 --ulimit memlock=-1 ...");
}

void doctor_look_at_system(findings* list, const char* root) {
    sn_realtime_limits limits = sn_realtime_limits_of_process();
    look_at_priority(list, &limits);
    look_at_locking(list, &limits);
    look_at_processors(list, &limits);
    look_at_governor(list, root);
    look_at_kernel(list, root);
    look_at_clock_source(list, root);
    look_at_throttling(list, root);
    look_for_container(list, root);
}
