// SPDX-License-Identifier: Apache-2.0
#include "server/encode_frame.h"

typedef enum section {
    POSES = 1,
    GROUPS = 2,
    ACTIVITY = 3,
    CONTACTS = 4,
    HANDS = 5,
    SAMPLES = 6,
    JOINT = 7
} section;

// ---- what a client has ----------------------------------------------------------------------------------------------

bool sni_seen_begin(sni_seen* seen, int bodies) {
    size_t n = (size_t)bodies;
    sni_seen_free(seen);
    seen->pose = malloc((2 * n + 2) * sizeof *seen->pose);
    seen->place = malloc((n + 1) * sizeof *seen->place);
    seen->shade = malloc(n + 1);
    if (!seen->pose || !seen->place || !seen->shade) {
        sni_seen_free(seen);
        return false;
    }
    seen->bodies = bodies;
    memset(seen->pose, 0xff, (2 * n + 2) * sizeof *seen->pose); // like nothing that there is
    memset(seen->place, 0xff, (n + 1) * sizeof *seen->place);
    memset(seen->shade, 0xff, n + 1);
    return true;
}

void sni_seen_free(sni_seen* seen) {
    free(seen->pose);
    free(seen->place);
    free(seen->shade);
    *seen = (sni_seen){.version = UINT64_MAX};
}

// ---- sections -------------------------------------------------------------------------------------------------------

/// Where a section begins.
typedef struct begun {
    size_t head, payload;
} begun;

static begun begin(sni_bytes* out, section kind, uint32_t second) {
    begun s = {.head = out->count};
    sni_put_u16(out, (uint16_t)kind);
    sni_put_u16(out, 0);
    sni_put_u32(out, 0);
    s.payload = out->count;
    sni_put_u32(out, 0);
    sni_put_u32(out, second);
    return s;
}

/// Without elements it is as if it had not begun.
static void end(sni_bytes* out, begun s, uint32_t count, uint32_t* sections) {
    if (count == 0) {
        if (!out->failed) out->count = s.head;
        return;
    }
    sni_set_u32(out, s.head + 4, (uint32_t)(out->count - s.payload));
    sni_set_u32(out, s.payload, count);
    sni_put_padding(out);
    ++*sections;
}

static void put_vec3(sni_bytes* out, sn_vec3 v) {
    sni_put_f32(out, v.x);
    sni_put_f32(out, v.y);
    sni_put_f32(out, v.z);
}

/// Most of a frame where many bodies move: room for all at once, then rows without a look at it.
static void put_poses(const sni_picture* p, sni_seen* seen, sni_bytes* out, uint32_t* sections) {
    if (p->groups == 0) return;
    begun s = begin(out, POSES, 0);
    sni_place32* row = sni_bytes_grow(out, (size_t)p->groups * sizeof *row); // group, then pose
    uint32_t count = 0;
    for (int g = 0; row && g < p->groups; g++) {
        if (memcmp(&seen->pose[g], &p->pose[g], sizeof p->pose[g]) == 0) continue;
        seen->pose[g] = p->pose[g];
        row[count++] = (sni_place32){(uint32_t)g, p->pose[g]};
    }
    sni_bytes_drop(out, ((size_t)p->groups - count) * sizeof *row);
    end(out, s, count, sections);
}

static void put_groups(const sni_picture* p, sni_seen* seen, sni_bytes* out, uint32_t* sections) {
    begun s = begin(out, GROUPS, 0);
    uint32_t count = 0;
    for (int b = 0; b < p->bodies; b++) {
        if (memcmp(&seen->place[b], &p->place[b], sizeof p->place[b]) == 0) continue;
        seen->place[b] = p->place[b];
        sni_put_u32(out, (uint32_t)b);
        sni_put(out, &p->place[b], sizeof p->place[b]);
        count++;
    }
    end(out, s, count, sections);
}

static void put_activity(const sni_picture* p, sni_seen* seen, sni_bytes* out, uint32_t* sections) {
    begun s = begin(out, ACTIVITY, 0);
    uint32_t count = 0;
    for (int b = 0; b < p->bodies; b++) {
        if (seen->shade[b] == p->shade[b]) continue;
        seen->shade[b] = p->shade[b];
        sni_put_u32(out, (uint32_t)b);
        sni_put_u32(out, p->shade[b]);
        count++;
    }
    end(out, s, count, sections);
}

static void put_contacts(const sn_snapshot* shot, sni_bytes* out, uint32_t* sections) {
    begun s = begin(out, CONTACTS, 0);
    int32_t count = sn_snapshot_contact_count(shot);
    const sn_contact_view* contact = sn_snapshot_contacts(shot);
    for (int32_t i = 0; i < count; i++) {
        const sn_contact_view* c = &contact[i];
        sni_put_u32(out, (uint32_t)c->a.i);
        sni_put_u32(out, (uint32_t)c->b.i);
        put_vec3(out, c->x);
        put_vec3(out, c->n);
        put_vec3(out, c->force);
        sni_put_f32(out, c->mu);
        sni_put_f32(out, c->gap);
    }
    end(out, s, (uint32_t)count, sections);
}

static uint32_t hand_flags(const sni_hand_fact* hand) {
    enum { HOLDS = 1, TOUCHES = 2, WITHOUT_FORCE = 4 };
    const sn_hand_report* r = &hand->report;
    bool touches = r->body.i < 0 && sn_vec3_norm(r->on_hand) > 0;
    bool without = r->safety.latched || r->safety.cause == SN_CAUSE_PAUSED;
    return (r->body.i >= 0 ? HOLDS : 0u) | (touches ? TOUCHES : 0u) |
           (without ? WITHOUT_FORCE : 0u);
}

static void put_hands(const sni_frame_parts* parts, sni_bytes* out, uint32_t* sections) {
    begun s = begin(out, HANDS, 0);
    for (int i = 0; i < parts->facts->hand_count; i++) {
        const sni_hand_fact* hand = &parts->facts->hand[i];
        const sn_hand_report* r = &hand->report;
        sni_put_u32(out, (uint32_t)r->number);
        sni_put_u32(out, hand->owner);
        sni_put_u32(out, (uint32_t)r->body.i);
        sni_put_u32(out, hand_flags(hand));
        put_vec3(out, r->anchor);
        put_vec3(out, r->end);
        put_vec3(out, r->on_body);
        put_vec3(out, r->on_hand);
        sni_put_f32(out, r->stiffness);
        sni_put_u32(out, parts->colour[hand->slot >= 0 ? hand->slot : SNI_CLIENTS_MOST]);
    }
    end(out, s, (uint32_t)parts->facts->hand_count, sections);
}

static void put_samples(sni_samples* samples, sni_bytes* out, uint32_t* sections) {
    begun s = begin(out, SAMPLES, (uint32_t)samples->numbers);
    sni_put(out, samples->at.at, samples->at.count);
    end(out, s, (uint32_t)samples->count, sections);
    sni_bytes_clear(&samples->at);
    samples->count = 0;
}

static void put_joint(const sni_joint_fact* joint, sni_bytes* out, uint32_t* sections) {
    begun s = begin(out, JOINT, 0);
    bool there = joint->body >= 0;
    if (there) {
        sni_put_u32(out, (uint32_t)joint->body);
        sni_put_u32(out, (uint32_t)joint->nq);
        sni_put(out, joint->q, (size_t)joint->nq * sizeof *joint->q);
        sni_put(out, joint->v, (size_t)joint->nv * sizeof *joint->v);
        sni_put(out, joint->force, (size_t)joint->nv * sizeof *joint->force);
    }
    end(out, s, there ? 1 : 0, sections);
}

void sni_encode_frame(const sni_frame_parts* parts, sni_seen* seen, sni_samples* samples,
                      sni_bytes* out) {
    const sni_picture* p = parts->picture;
    uint32_t sections = 0;
    sni_put_f64(out, sn_snapshot_time(p->shot));
    sni_put_u64(out, sn_snapshot_step(p->shot));
    sni_put_u32(out, parts->generation);
    size_t count_at = out->count;
    sni_put_u32(out, 0);
    if (seen->version != p->version) {
        put_groups(p, seen, out, &sections);
        put_activity(p, seen, out, &sections);
        seen->version = p->version;
    }
    put_poses(p, seen, out, &sections);
    put_contacts(p->shot, out, &sections);
    if (samples->count > 0) put_samples(samples, out, &sections);
    if (parts->facts) {
        const sni_joint_fact* joint = &parts->facts->joint[parts->slot];
        put_hands(parts, out, &sections);
        if (joint->client == parts->client) put_joint(joint, out, &sections);
    }
    sni_set_u32(out, count_at, sections);
}

// ---- samples --------------------------------------------------------------------------------------------------------

/// Every second one goes.
static void thin(sni_samples* samples) {
    size_t size = (size_t)(samples->numbers + 1) * sizeof(double);
    for (int k = 1; 2 * k < samples->count; k++)
        memcpy(samples->at.at + (size_t)k * size, samples->at.at + (size_t)(2 * k) * size, size);
    samples->count = (samples->count + 1) / 2;
    samples->at.count = (size_t)samples->count * size;
}

void sni_samples_add(sni_samples* samples, double time, const double* number) {
    if (samples->count >= SNI_SAMPLES_MOST) thin(samples);
    sni_put_f64(&samples->at, time);
    sni_put(&samples->at, number, (size_t)samples->numbers * sizeof *number);
    if (!samples->at.failed) samples->count++;
}
