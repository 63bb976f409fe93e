// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdlib.h>

#include "memory.h"
#include "message.h"
#include "run.h"
#include "svg_plot.h"
#include "unit_text.h"

enum {
    SAMPLES_MOST = 4000, // evenly over the run
    SERIES = 9,          // of a hand: force, way of the hand, way of what it holds, x y z each
    HANDS_SHOWN = PLOT_PANELS_MOST / 2
};

struct run_history {
    const run_hands* hands;
    const sn_units* units;
    int shown; ///< hands
    uint64_t stride, steps;
    int count;
    double* time;
    double* value[HANDS_SHOWN][SERIES];
    sn_vec3 body_start[HANDS_SHOWN]; ///< NAN: it held nothing yet
};

run_history* run_history_create(const run_hands* hands, const sn_units* units, uint64_t steps) {
    run_history* h = memory_take(1, sizeof *h);
    h->hands = hands;
    h->units = units;
    h->shown = hands->count < HANDS_SHOWN ? hands->count : HANDS_SHOWN;
    if (h->shown < hands->count) message_note("--plot shows the first %d hands", h->shown);
    h->stride = steps / SAMPLES_MOST + 1;
    h->time = memory_take(SAMPLES_MOST + 1, sizeof *h->time);
    for (int i = 0; i < h->shown; i++) {
        h->body_start[i].x = NAN;
        for (int k = 0; k < SERIES; k++)
            h->value[i][k] = memory_take(SAMPLES_MOST + 1, sizeof(double));
    }
    return h;
}

static void put(double* const* series, int at, sn_vec3 v) {
    series[0][at] = v.x;
    series[1][at] = v.y;
    series[2][at] = v.z;
}

// The point of a body that a hand holds; of another body than at the start its origin.
static sn_vec3 held_point(sn_simulation* sim, const run_hand* hand, sn_body_id body) {
    if (body.i < 0) return sn_vec3_make(NAN, NAN, NAN);
    sn_pose X = sn_dynamics_pose(sn_world_dynamics(sn_simulation_world(sim)), body);
    return body.i == hand->id.i ? sn_pose_apply(X, hand->point) : X.p;
}

static void add_hand(run_history* h, int i, sn_simulation* sim, const sn_session* session) {
    double shown = h->units->way.factor;
    sn_hand_report now;
    int at = h->count;
    sn_session_ask_hand(session, i, &now);
    sn_vec3 body = held_point(sim, &h->hands->at[i], now.body);
    if (isnan(h->body_start[i].x)) h->body_start[i] = body;
    sn_vec3 way = sn_vec3_sub(now.hand.pose.p, h->hands->at[i].def.place_in.p);
    if (now.meter.ticks == 0) way.x = way.y = way.z = NAN; // its loop has not begun
    put(h->value[i], at, now.force.force);
    put(h->value[i] + 3, at, sn_vec3_scale(shown, way));
    put(h->value[i] + 6, at, sn_vec3_scale(shown, sn_vec3_sub(body, h->body_start[i])));
}

void run_history_add(run_history* h, sn_simulation* sim, const sn_session* session) {
    if (h->steps++ % h->stride != 0 || h->count > SAMPLES_MOST) return;
    for (int i = 0; i < h->shown; i++) add_hand(h, i, sim, session);
    h->time[h->count++] = sn_world_time(sn_simulation_world(sim));
}

void run_history_write(const run_history* h, const char* title, FILE* out) {
    static const char* const names[SERIES] = {"x",      "y",      "z",      "hand x", "hand y",
                                              "hand z", "body x", "body y", "body z"};
    plot p = {.title = title,
              .subtitle = "world axes; way of the hand from the device's origin, of the body from "
                          "where it began"};
    unit_labels label = unit_labels_of(h->units);
    char* titles[HANDS_SHOWN][2];
    for (int i = 0; i < h->shown; i++) {
        const run_hand* hand = &h->hands->at[i];
        plot_panel* force = &p.panels[p.panel_count++];
        plot_panel* way = &p.panels[p.panel_count++];
        titles[i][0] = memory_text("force on %s, %s", hand->def.name, hand->device);
        titles[i][1] = memory_text("way of %s%s%s", hand->def.name, hand->body ? " and of " : "",
                                   hand->body ? hand->body : "");
        *force = (plot_panel){
            .title = titles[i][0], .x_label = label.time, .y_label = "force of the device [N]"};
        *way = (plot_panel){.title = titles[i][1], .x_label = label.time, .y_label = label.way};
        for (int k = 0; k < SERIES; k++)
            plot_add_series(k < 3 ? force : way, names[k], h->time, h->value[i][k], h->count,
                            false);
    }
    svg_plot_write(&p, out);
    for (int i = 0; i < h->shown; i++) {
        free(titles[i][0]);
        free(titles[i][1]);
    }
}

void run_history_free(run_history* h) {
    if (!h) return;
    free(h->time);
    for (int i = 0; i < h->shown; i++)
        for (int k = 0; k < SERIES; k++) free(h->value[i][k]);
    free(h);
}
