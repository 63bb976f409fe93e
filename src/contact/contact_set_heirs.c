// SPDX-License-Identifier: Apache-2.0
// What becomes of the impulse of a contact that is no more. Where two edges nearly coincide, the smallest turn
// makes other features meet: a point gets another id, or two points become one, at the same place. A start
// without the impulses of such points costs a pile at rest dozens of sweeps. So they go to a new contact
// between the same bodies, the nearest, or else to the nearest that stayed.
#include "contact/contact_set.h"
#include "contact/solver.h"

/// Heirs are looked for of so many contacts at most: when more go at once, nothing is at rest.
enum { GONE_MOST = 64 };

static bool same_pair(const sn_contact* x, const sn_contact* y) {
    return x->a.i == y->a.i && x->b.i == y->b.i;
}

static double distance2(sn_vec3 x, sn_vec3 y) {
    sn_vec3 d = sn_vec3_sub(x, y);
    return sn_vec3_dot(d, d);
}

/// Sorts out which contacts of the last solve are still there (heir: its number now, -1: it is gone) and which
/// ones are new. Returns how many these are.
static int32_t compare(sn_contact_set* set, const sni_warm_start* memory) {
    int32_t guess = 0, fresh = 0;
    for (int32_t k = 0; k < set->last_count; k++) set->heir[k] = -1;
    for (int32_t i = 0; i < set->built; i++) {
        uint64_t id = set->contact[i].id;
        int32_t at = id ? sni_warm_start_find(memory, id, guess) : -1;
        if (at >= 0 && at < set->last_count) {
            set->heir[at] = i;
            guess = at + 1;
        } else {
            set->fresh[fresh++] = i;
        }
    }
    return fresh;
}

/// The heir of old contact k: the nearest new one of the pair, or else the nearest of those beside it in the
/// list that stayed; -1: the bodies have parted.
static int32_t heir_of(const sn_contact_set* set, int32_t k, int32_t fresh) {
    const sn_contact* old = &set->last[k];
    double nearest = INFINITY;
    int32_t best = -1;
    for (int32_t f = 0; f < fresh; f++) {
        const sn_contact* now = &set->contact[set->fresh[f]];
        double d = same_pair(old, now) ? distance2(old->x, now->x) : INFINITY;
        if (d < nearest) nearest = d, best = set->fresh[f];
    }
    if (best >= 0) return best;
    for (int way = -1; way <= 1; way += 2) {
        for (int32_t j = k + way; j >= 0 && j < set->last_count; j += way) {
            if (!same_pair(old, &set->last[j])) break;
            double d = set->heir[j] >= 0 ? distance2(old->x, set->last[j].x) : INFINITY;
            if (d < nearest) nearest = d, best = set->heir[j];
        }
    }
    return best;
}

static bool is_point(const sn_contact_set* set, int32_t i) {
    return set->rows.law[i].kind == SN_CONTACT_POINT;
}

/// The impulse `from` of old contact k, in the frame of contact i, on top of what that has.
static void hand_over(const sn_contact_set* set, const double* from, int32_t k, int32_t i,
                      double* r) {
    const sn_contact *old = &set->last[k], *now = &set->contact[i];
    sn_vec3 p =
        sn_vec3_add(sn_vec3_scale(from[0], old->n),
                    sn_vec3_add(sn_vec3_scale(from[1], old->t1), sn_vec3_scale(from[2], old->t2)));
    double* to = r + set->rows.first[i];
    to[0] += sn_vec3_dot(now->n, p);
    to[1] += sn_vec3_dot(now->t1, p);
    to[2] += sn_vec3_dot(now->t2, p);
}

// The solver's memory lists entries with ids in their order, contacts first: as long as all have one, contact k
// of the last solve is number k there.
void sni_set_inherit(sn_contact_set* set, const sn_contact_solver* solver, double* r) {
    const sni_warm_start* memory = &solver->warm_start;
    if (set->last_count == 0 || set->last_count > memory->count) return;
    int32_t fresh = compare(set, memory), gone = 0;
    for (int32_t k = 0; k < set->last_count && gone < GONE_MOST; k++) {
        const double* from = memory->r + memory->first[k];
        if (set->heir[k] >= 0) continue;
        if (memory->id[k] != set->last[k].id || sni_warm_start_rows(memory, k) != 3) continue;
        gone++;
        int32_t i = from[0] > 0 ? heir_of(set, k, fresh) : -1;
        if (i >= 0 && is_point(set, i)) hand_over(set, from, k, i, r);
    }
}
