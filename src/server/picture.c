// SPDX-License-Identifier: Apache-2.0
#include "server/picture.h"

sni_pose32 sni_pose32_of(sn_pose X) {
    sn_quat q = sn_quat_from_matrix(X.R);
    return (sni_pose32){
        {(float)X.p.x, (float)X.p.y, (float)X.p.z, (float)q.w, (float)q.x, (float)q.y, (float)q.z}};
}

bool sni_picture_begin(sni_picture* p, const sn_model* model, bool adaptive) {
    size_t n = (size_t)sn_model_body_count(model);
    sni_picture_free(p);
    p->pose =
        calloc(2 * n + 2, sizeof *p->pose); // bodies in pieces may make more groups than bodies
    p->place = calloc(n + 1, sizeof *p->place);
    p->shade = calloc(n + 1, sizeof *p->shade);
    if (!p->pose || !p->place || !p->shade) {
        sni_picture_free(p);
        return false;
    }
    p->model = model;
    p->adaptive = adaptive;
    p->bodies = (int)n;
    p->arrangement = UINT64_MAX;
    return true;
}

void sni_picture_free(sni_picture* p) {
    free(p->pose);
    free(p->place);
    free(p->shade);
    *p = (sni_picture){.version = p->version};
}

static void arrange(sni_picture* p) {
    for (int32_t b = 0; b < p->bodies; b++) {
        sn_body_id body = sn_body(b);
        p->place[b] = (sni_place32){(uint32_t)sn_snapshot_group_of(p->shot, body),
                                    sni_pose32_of(sn_snapshot_offset(p->shot, body))};
        bool still = sn_snapshot_is_still(p->shot, body);
        p->shade[b] = (uint8_t)(sn_snapshot_is_resting(p->shot, body) ? SNI_RESTS
                                : still && p->adaptive                ? SNI_SLEEPS
                                : still                               ? SNI_LOCKED
                                                                      : SNI_MOVES);
    }
    p->version++;
}

void sni_picture_take(sni_picture* p, const sn_snapshot* shot) {
    uint64_t arrangement = sn_snapshot_arrangement(shot);
    if (shot == p->shot && p->arrangement != UINT64_MAX) return; // a newer one has another place
    p->shot = shot;
    p->groups = sn_snapshot_group_count(shot);
    if (p->groups > 2 * p->bodies + 2) p->groups = 2 * p->bodies + 2;
    for (int g = 0; g < p->groups; g++) p->pose[g] = sni_pose32_of(sn_snapshot_group_pose(shot, g));
    if (arrangement == p->arrangement) return;
    p->arrangement = arrangement;
    arrange(p);
}
