// SPDX-License-Identifier: Apache-2.0
#include "haptics/haptic_loop.h"

#include <string.h>

#include "base/error.h"

sn_status sni_haptic_loop_init(sni_haptic_loop* loop, const sni_haptic_def* def, sn_device* device,
                               sni_hand_line* line, sn_error* error) {
    memset(loop, 0, sizeof *loop);
    loop->def = *def;
    loop->device = device;
    loop->line = line;
    loop->hand.pose = loop->sample.pose = sn_pose_identity();
    for (int k = 0; k < SN_LINE_PUSHES; k++) loop->pull.push[k].body = sn_body_world();
    sni_hand_map_init(&loop->map, &def->map);
    if (def->touches && sn_proxy_init(&loop->proxy, &def->touch))
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "touch: %s",
                        sn_touch_def_trouble(&def->touch));
    return sn_safety_init(&loop->safety, &def->safety, error);
}

// ---- what is held ---------------------------------------------------------------------------------------------

static sn_vec3 held_point(const sni_haptic_loop* loop) {
    return sn_pose_apply(sn_local_model_pose(&loop->model, 0), loop->terms.point);
}

/// From now on the hand's movements are the point's: no offset is left that would pull.
static void align(sni_haptic_loop* loop) {
    sn_mat3 R_b = sn_local_model_pose(&loop->model, 0).R;
    loop->turn_offset = sn_mat3_mul(sn_mat3_transpose(loop->hand.pose.R), R_b);
    loop->point_offset = sn_vec3_sub(held_point(loop), loop->hand.pose.p);
}

static void take_hold(sni_haptic_loop* loop) {
    align(loop);
    loop->pull.hold = loop->terms.hold;
    loop->pull.impulse = loop->pull.wrench = sn_wrench_zero();
    loop->pull.elapsed = 0;
}

static void hear_of_law(sni_haptic_loop* loop, int64_t now_ns) {
    bool fresh;
    sni_hand_line* line = loop->line;
    const sni_feel* feel = &line->feel[sni_mailbox_fetch(&line->feel_box, &fresh)];
    if (!fresh) return;
    bool is_new = feel->terms.hold != loop->terms.hold;
    bool moved = is_new || feel->law_number != loop->law_number;
    if (moved) loop->law_ns = now_ns;
    if (!(loop->safety.watchdog.law_period > 0)) loop->safety.watchdog.law_period = feel->step;
    loop->law_number = feel->law_number;
    loop->terms = feel->terms;
    loop->pace = feel->pace;
    if (is_new) loop->model.law.count = 0;
    if (feel->model.law.count == 0) return;
    sn_local_model_take(&loop->model, &feel->model, moved);
    if (is_new) take_hold(loop);
}

/// The frame that the body's is pulled to: turned as the hand has turned, the held point moved as the hand has. A
/// hand that cannot turn the body lets it turn. Velocities are in the time of the simulation.
static sn_hand target(const sni_haptic_loop* loop) {
    const sn_hand* hand = &loop->hand;
    double faster = 1 / loop->pace;
    sn_mat3 R_b = sn_local_model_pose(&loop->model, 0).R;
    sn_mat3 R = loop->terms.six ? sn_mat3_mul(hand->pose.R, loop->turn_offset) : R_b;
    sn_vec3 w = loop->terms.six ? sn_vec3_scale(faster, hand->velocity.w)
                                : sn_mat3_apply(R_b, loop->model.hand[0].velocity.w);
    sn_vec3 v = sn_vec3_scale(faster, hand->velocity.v);
    sn_vec3 arm = sn_mat3_apply(R, loop->terms.point);
    sn_vec3 p = sn_vec3_add(hand->pose.p, loop->point_offset);
    return (sn_hand){.pose = sn_pose_make(R, sn_vec3_sub(p, arm)),
                     .velocity = {w, sn_vec3_sub(v, sn_vec3_cross(w, arm))}};
}

/// A wrench on the body as force and moment at the held point, in body axes.
static sn_wrench at_point(sn_wrench f, sn_vec3 point) {
    return sn_wrench_make(sn_vec3_sub(f.n, sn_vec3_cross(point, f.f)), f.f);
}

/// What the body's end of the spring puts into it, and what its damper takes, in a tick; J on the hand.
static void count_energy(const sni_haptic_loop* loop, sn_twist v, sn_wrench f_u, const sn_hand* to,
                         sn_safety_input* input) {
    double pace = loop->pace; // velocities are in the time of the simulation
    double share = loop->def.map.gain / loop->def.map.scale * loop->def.period * pace;
    sn_vec3 r = loop->terms.point;
    sn_mat3 R = sn_local_model_pose(&loop->model, 0).R;
    sn_wrench f = at_point(f_u, r);
    sn_vec3 speed = sn_vec3_add(v.v, sn_vec3_cross(v.w, r));
    sn_vec3 w_h = sn_mat3_apply_transposed(R, to->velocity.w);
    sn_vec3 v_h = sn_vec3_add(sn_mat3_apply_transposed(R, to->velocity.v), sn_vec3_cross(w_h, r));
    sn_vec3 slip = sn_vec3_sub(v_h, speed), turn_slip = sn_vec3_sub(w_h, v.w);
    input->supplied = -share * sn_vec3_dot(f.f, speed);
    input->turn_supplied = -share * sn_vec3_dot(f.n, v.w);
    input->taken = share * pace * loop->terms.damping * sn_vec3_dot(slip, slip);
    input->turn_taken = share * pace * loop->terms.turn_damping * sn_vec3_dot(turn_slip, turn_slip);
}

/// What the hand feels of the body it holds, and what the body feels of it.
static void pull_body(sni_haptic_loop* loop, sn_safety_input* input) {
    const sni_hold_terms* terms = &loop->terms;
    const sni_hand_map_def* map = &loop->def.map;
    sn_hand to = target(loop);
    sn_twist v = loop->model.hand[0].velocity;
    sn_wrench f_u, felt;
    input->law = sn_local_model_tick(&loop->model, &to, &f_u);
    felt = sn_wrench_scale(-1, f_u);
    if (loop->def.reaction) {
        if (!input->law) input->law = sn_coupling_tick(&loop->model.law, &f_u, &felt);
        const double* weight = loop->model.law.weight;
        sn_wrench w = sn_wrench_make(sn_vec3_make(weight[0], weight[1], weight[2]),
                                     sn_vec3_make(weight[3], weight[4], weight[5]));
        if (terms->weight) felt = sn_wrench_add(felt, w);
    } else {
        input->stiffness = map->gain * map->scale * terms->stiffness;
        input->turn_stiffness = map->gain / map->scale * terms->turn_stiffness;
        count_energy(loop, v, f_u, &to, input);
    }
    sn_mat3 R = sn_local_model_pose(&loop->model, 0).R;
    sn_wrench f = at_point(felt, terms->point);
    sn_vec3 moment = terms->six ? sn_mat3_apply(R, f.n) : sn_vec3_zero();
    input->wanted = sni_hand_map_render(&loop->map, sn_mat3_apply(R, f.f), moment);
    loop->pull.wrench = f_u;
}

// ---- what is touched --------------------------------------------------------------------------------------------

static void hear_of_surfaces(sni_haptic_loop* loop) {
    bool fresh;
    sni_hand_line* line = loop->line;
    const sn_local_geometry* shape = &line->shape[sni_mailbox_fetch(&line->shape_box, &fresh)];
    if (!fresh) return;
    if (!loop->proxy.started) sn_proxy_start(&loop->proxy, loop->hand.pose.p);
    sn_proxy_refresh(&loop->proxy, shape);
}

/// The sum of a body; a new one where it has none, in place of the oldest.
static sni_push* push_of(sni_haptic_loop* loop, sn_body_id body) {
    sni_push* oldest = &loop->pull.push[0];
    for (int k = 0; k < SN_LINE_PUSHES; k++) {
        sni_push* push = &loop->pull.push[k];
        if (push->body.i == body.i) return push;
        if (push->number < oldest->number) oldest = push;
    }
    *oldest = (sni_push){.body = body, .number = ++loop->push_number};
    return oldest;
}

static void count_pushes(sni_haptic_loop* loop, const sn_touch* touch) {
    double share = loop->def.period * loop->safety.report.gain;
    for (int k = 0; k < touch->count; k++) {
        const sn_touched* at = &touch->at[k];
        if (at->body.i < 0) continue;
        sni_push* push = push_of(loop, at->body);
        sn_vec3 impulse = sn_vec3_scale(share, at->force);
        push->impulse = sn_vec3_add(push->impulse, impulse);
        push->moment = sn_vec3_add(push->moment, sn_vec3_cross(at->x, impulse));
    }
}

static void touch_surfaces(sni_haptic_loop* loop, sn_safety_input* input) {
    const sni_hand_map_def* map = &loop->def.map;
    sn_touch touch;
    input->law = sn_proxy_tick(&loop->proxy, loop->hand.pose.p, loop->hand.velocity.v,
                               loop->def.period, &touch);
    if (input->law) return;
    input->wanted = sni_hand_map_render(&loop->map, touch.force, sn_vec3_zero());
    input->stiffness = map->gain * map->scale * loop->def.touch.stiffness;
    count_pushes(loop, &touch);
}

// ---- a tick -----------------------------------------------------------------------------------------------------

static void count_buttons(sni_pull* pull, uint32_t buttons) {
    uint32_t begun = buttons & ~pull->buttons;
    for (int k = 0; begun >> k && k < SN_LINE_BUTTONS; k++)
        if (begun >> k & 1) pull->pressed[k]++;
    pull->buttons = buttons;
}

static sn_status follow_device(sni_haptic_loop* loop, int64_t now_ns) {
    sn_device_sample sample;
    sn_status status = sn_device_read(loop->device, now_ns, &sample);
    if (status) { // the hand is thought to rest where it was
        loop->hand.velocity = sn_twist_make(sn_vec3_zero(), sn_vec3_zero());
        return status;
    }
    loop->sample = sample;
    count_buttons(&loop->pull, sample.buttons);
    bool clutch = loop->def.clutch >= 0 && (sample.buttons >> loop->def.clutch & 1);
    sni_hand_map_follow(&loop->map, &sample, clutch, loop->def.period, &loop->hand);
    return SN_OK;
}

/// A hand that loses its force gives none: both end together, by the same ramp. While the force comes, the body is held
/// already, or it would fall out of the hand.
static void count_pull(sni_haptic_loop* loop) {
    sni_pull* pull = &loop->pull;
    double gain = loop->safety.report.gain;
    if (loop->safety.report.cause != SN_CAUSE_NONE)
        pull->wrench = sn_wrench_scale(gain, pull->wrench);
    pull->impulse = sn_wrench_add(pull->impulse, sn_wrench_scale(loop->def.period, pull->wrench));
    pull->elapsed += loop->def.period;
    pull->time += loop->def.period;
    pull->ticks++;
    pull->hand = loop->hand;
    pull->lost = gain == 0;
}

static void publish(sni_haptic_loop* loop) {
    sni_hand_line* line = loop->line;
    unsigned slot = sni_mailbox_back(&line->sim_box);
    line->to_sim[slot] = loop->pull;
    line->state[slot] = (sni_hand_state){loop->meter, loop->safety.report, loop->output};
    sni_mailbox_publish(&line->sim_box);
    line->to_coupling[sni_mailbox_back(&line->coupling_box)] = loop->pull;
    sni_mailbox_publish(&line->coupling_box);
}

void sni_haptic_loop_tick(sni_haptic_loop* loop, int64_t now_ns) {
    sn_safety_input input = {.now_ns = now_ns, .sample = &loop->sample};
    input.read = follow_device(loop, now_ns);
    hear_of_law(loop, now_ns);
    if (loop->def.touches) hear_of_surfaces(loop);
    bool holds = loop->terms.hold != 0;
    sn_device_force output;
    input.law_ns = loop->law_ns;
    input.engaged = !loop->ending && (holds || loop->proxy.started);
    loop->pull.wrench = sn_wrench_zero();
    if (holds && loop->safety.report.gain == 0) align(loop); // what moved meanwhile does not pull
    if (input.engaged && holds)
        pull_body(loop, &input);
    else if (input.engaged)
        touch_surfaces(loop, &input);
    (void)sn_safety_apply(&loop->safety, &input, &output); // its report says what it did
    (void)sn_device_write(loop->device, now_ns, &output);  // one that is lost is found by reading
    if (!loop->ending) loop->output = output;
    count_pull(loop);
    publish(loop);
}
