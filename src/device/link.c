// SPDX-License-Identifier: Apache-2.0
#include "device/link.h"

void sni_link_init(sni_link* link) {
    *link = (sni_link){0};
    sni_mailbox_init(&link->sample_box);
    sni_mailbox_init(&link->force_box);
    sni_show(&link->newest, 0);
    sni_link_tell(link, "");
}

// ---- servo ----------------------------------------------------------------------------------------------------

void sni_link_publish(sni_link* link, const sn_device_sample* sample) {
    link->samples[sni_mailbox_back(&link->sample_box)] = *sample;
    sni_mailbox_publish(&link->sample_box);
    sni_show(&link->newest, (uint64_t)sample->time_ns);
}

static double share_at_age(int64_t age_ns) {
    if (age_ns <= SNI_LINK_FRESH_NS) return 1;
    double faded = (double)(age_ns - SNI_LINK_FRESH_NS) / SNI_LINK_FADE_NS;
    return faded < 1 ? 1 - faded : 0;
}

sn_device_force sni_link_force_at(sni_link* link, int64_t now_ns) {
    const sni_link_force* newest = &link->forces[sni_mailbox_fetch(&link->force_box, NULL)];
    double share = share_at_age(now_ns - newest->time_ns);
    sn_device_force force = {sn_vec3_scale(share, newest->force.force),
                             sn_vec3_scale(share, newest->force.torque)};
    return force;
}

void sni_link_tell(sni_link* link, const char* text) { sni_show(&link->trouble, (uintptr_t)text); }

// ---- loop -------------------------------------------------------------------------------------------------------

sn_status sni_link_read(sni_link* link, int64_t now_ns, sn_device_sample* sample) {
    if (sni_link_is_stale(link, now_ns)) return SN_ERR_FAULT;
    *sample = link->samples[sni_mailbox_fetch(&link->sample_box, NULL)];
    return SN_OK;
}

static bool is_zero(const sn_device_force* f) {
    return f->force.x == 0 && f->force.y == 0 && f->force.z == 0 && f->torque.x == 0 &&
           f->torque.y == 0 && f->torque.z == 0;
}

sn_status sni_link_write(sni_link* link, int64_t now_ns, const sn_device_force* force) {
    sni_link_force* back = &link->forces[sni_mailbox_back(&link->force_box)];
    back->time_ns = now_ns;
    back->force = *force;
    sni_mailbox_publish(&link->force_box);
    return is_zero(force) || !sni_link_is_stale(link, now_ns) ? SN_OK : SN_ERR_FAULT;
}

// ---- anybody ------------------------------------------------------------------------------------------------------

bool sni_link_is_stale(const sni_link* link, int64_t now_ns) {
    int64_t newest = (int64_t)sni_shown_value(&link->newest);
    return newest == 0 || now_ns - newest > SNI_LINK_STALE_NS;
}

const char* sni_link_trouble(const sni_link* link, int64_t now_ns) {
    const char* told = (const char*)(uintptr_t)sni_shown_value(&link->trouble);
    if (told[0]) return told;
    return sni_link_is_stale(link, now_ns) ? "no sample for 20 ms: the device or its vendor's "
                                             "library does not answer; the force "
                                             "is off, and comes back when it does"
                                           : "";
}
