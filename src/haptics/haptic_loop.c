// SPDX-License-Identifier: Apache-2.0
#include "haptics/haptic_loop.h"

#include <string.h>

#include "base/error.h"
#include "base/hot.h"
#include "math/small_angle.h"

static void keep_nothing(sni_haptic_loop* loop) {
    loop->kept_turn = sn_mat3_identity();
    loop->kept_stretch = sn_vec3_zero();
}

sn_status sni_haptic_loop_init(sni_haptic_loop* loop, const sni_haptic_def* def, sn_device* device,
                               sni_hand_line* line, sn_error* error) {
    memset(loop, 0, sizeof *loop);
    loop->def = *def;
    loop->device = device;
    loop->line = line;
    loop->hand.pose = sn_pose_identity();
    keep_nothing(loop);
    for (int k = 0; k < SN_LINE_PUSHES; k++) loop->pull.push[k].body = sn_body_world();
    sni_hand_map_init(&loop->map, &def->map);
    sn_status touch = SN_OK;
    if (def->touches)
        touch = def->has_tool ? sn_god_object_init(&loop->tool, &def->touch, &def->tool)
                              : sn_proxy_init(&loop->proxy, &def->touch);
    if (touch)
        return sni_fail(error, SN_ERR_ARGUMENT, sni_nowhere(), "touch: %s",
                        def->has_tool ? "the tool makes no sense"
                                      : sn_touch_def_trouble(&def->touch));
    return sn_safety_init(&loop->safety, &def->safety, error);
}

// ---- what is held ---------------------------------------------------------------------------------------------

static sn_vec3 held_point(const sni_haptic_loop* loop) {
    const sn_local_hand* body = &loop->model.hand[0];
    return sn_vec3_add(body->p, sn_mat3_apply(body->R, loop->terms.point));
}

/// From now on the hand's movements are the point's: no offset is left that would pull, but what is to be kept.
static void align(sni_haptic_loop* loop) {
    sn_mat3 R_b = sn_mat3_mul(loop->kept_turn, loop->model.hand[0].R);
    loop->turn_offset = sn_mat3_mul(sn_mat3_transpose(loop->hand.pose.R), R_b);
    sn_vec3 end = sn_vec3_add(held_point(loop), loop->kept_stretch);
    loop->point_offset = sn_vec3_sub(end, loop->hand.pose.p);
}

/// The spring as it is now, for when the simulation goes on.
static void keep_spring(sni_haptic_loop* loop) {
    sn_vec3 end = sn_vec3_add(loop->hand.pose.p, loop->point_offset);
    sn_mat3 R_b = loop->model.hand[0].R;
    loop->kept_stretch = sn_vec3_sub(end, held_point(loop));
    if (loop->terms.six)
        loop->kept_turn =
            sn_mat3_mul(sn_mat3_mul(loop->hand.pose.R, loop->turn_offset), sn_mat3_transpose(R_b));
}

static void take_hold(sni_haptic_loop* loop) {
    keep_nothing(loop);
    loop->has_pulled = false;
    loop->f_w = sn_wrench_zero();
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
    if (feel->terms.hold && feel->terms.hold <= loop->def.holds_before) return;
    bool is_new = feel->terms.hold != loop->terms.hold;
    bool moved = is_new || feel->law_number != loop->law_number;
    if (moved) loop->law_ns = now_ns;
    if (feel->step != loop->step) loop->safety.watchdog.law_period = feel->step; // another pace
    loop->step = feel->step;
    loop->law_number = feel->law_number;
    loop->terms = feel->terms;
    loop->pace = feel->pace;
    if (is_new) loop->model.law.count = 0;
    if (feel->model.law.count == 0) return;
    sn_local_model_take(&loop->model, &feel->model, moved);
    if (is_new) take_hold(loop);
}

/// How much of a spring's and its damper's pull is left by a limit; 1: all.
static double share_of(double stiffness, sn_vec3 way, double damping, sn_vec3 speed, double most) {
    sn_vec3 pull = sn_vec3_add(sn_vec3_scale(stiffness, way), sn_vec3_scale(damping, speed));
    double size = sn_vec3_norm(pull);
    return size > most ? most / size : 1;
}

/// A place or velocity that is nearer to another: all the way at 0.
static sn_vec3 nearer(sn_vec3 to, sn_vec3 from, double share) {
    return sn_vec3_add(to, sn_vec3_scale(share, sn_vec3_sub(from, to)));
}

/// Orientation and angular velocity of the frame that the body's is pulled to.
static void turn_target(const sni_haptic_loop* loop, sn_mat3* R, sn_vec3* w) {
    const sni_hold_terms* terms = &loop->terms;
    sn_mat3 R_b = loop->model.hand[0].R;
    sn_vec3 w_b = sn_mat3_apply(R_b, loop->model.hand[0].velocity.w);
    *R = R_b;
    *w = w_b;
    if (!terms->six) return;
    *R = sn_mat3_mul(loop->hand.pose.R, loop->turn_offset);
    *w = sn_vec3_scale(1 / loop->pace, loop->hand.velocity.w);
    if (!(terms->most_torque > 0)) return;
    // as the tick will find it at its end
    sn_vec3 on = sn_vec3_scale(loop->pace * loop->def.period, w_b);
    R_b = sn_mat3_mul(sn_quat_matrix(sn_quat_exp(on)), R_b);
    sn_vec3 turn = sn_quat_log(sn_quat_from_matrix(sn_mat3_mul(*R, sn_mat3_transpose(R_b))));
    double share = share_of(terms->turn_stiffness, turn, loop->pace * terms->turn_damping,
                            sn_vec3_sub(*w, w_b), terms->most_torque);
    if (share == 1) return;
    *R = sn_mat3_mul(sn_quat_matrix(sn_quat_exp(sn_vec3_scale(share, turn))), R_b);
    *w = nearer(w_b, *w, share);
}

/// The frame that the body's is pulled to: turned as the hand has turned, the held point moved as the hand has. A
/// hand that cannot turn the body lets it turn. What would pull beyond the spring's limit drags the frame along.
/// Velocities are in the time of the simulation.
static sn_hand target(const sni_haptic_loop* loop) {
    const sni_hold_terms* terms = &loop->terms;
    const sn_local_hand* body = &loop->model.hand[0];
    sn_mat3 R;
    sn_vec3 w, v = sn_vec3_scale(1 / loop->pace, loop->hand.velocity.v);
    turn_target(loop, &R, &w);
    sn_vec3 p = sn_vec3_add(loop->hand.pose.p, loop->point_offset);
    if (terms->most_force > 0) {
        sn_twist v_b = body->velocity;
        sn_vec3 v_at =
            sn_mat3_apply(body->R, sn_vec3_add(v_b.v, sn_vec3_cross(v_b.w, terms->point)));
        sn_vec3 on = sn_vec3_scale(loop->pace * loop->def.period, v_at);
        sn_vec3 at = sn_vec3_add(held_point(loop), on); // at the tick's end, when the spring pulls
        double share = share_of(terms->stiffness, sn_vec3_sub(p, at), loop->pace * terms->damping,
                                sn_vec3_sub(v, v_at), terms->most_force);
        if (share < 1) p = nearer(at, p, share), v = nearer(v_at, v, share);
    }
    sn_vec3 arm = sn_mat3_apply(R, terms->point);
    return (sn_hand){.pose = sn_pose_make(R, sn_vec3_sub(p, arm)),
                     .velocity = {w, sn_vec3_sub(v, sn_vec3_cross(w, arm))}};
}

/// A wrench on the body, in its axes, as moment and force at the held point in the world's.
static sn_wrench at_point(const sni_haptic_loop* loop, sn_wrench f) {
    sn_mat3 R = loop->model.hand[0].R;
    sn_vec3 n = sn_vec3_sub(f.n, sn_vec3_cross(loop->terms.point, f.f));
    return sn_wrench_make(sn_mat3_apply(R, n), sn_mat3_apply(R, f.f));
}

/// Where the body's end of the spring is.
typedef struct spring_end {
    sn_vec3 p; ///< world
    sn_mat3 R;
} spring_end;

static spring_end body_end(const sni_haptic_loop* loop) {
    return (spring_end){held_point(loop), loop->model.hand[0].R};
}

/// What the body's end of the spring has put into it on its way in this tick: the way was made with the mean of the
/// force before and the one now. What the damper took. J on the hand.
static void count_energy(sni_haptic_loop* loop, const spring_end* from, sn_wrench f_w,
                         const sn_hand* to, sn_safety_input* input) {
    double pace = loop->pace; // velocities are in the time of the simulation
    double share = loop->def.map.gain / loop->def.map.scale;
    spring_end at = body_end(loop);
    sn_wrench mean = sn_wrench_scale(0.5, sn_wrench_add(loop->f_w, f_w));
    sn_twist v = loop->model.hand[0].velocity;
    sn_vec3 speed = sn_mat3_apply(at.R, sn_vec3_add(v.v, sn_vec3_cross(v.w, loop->terms.point)));
    sn_vec3 arm = sn_mat3_apply(to->pose.R, loop->terms.point);
    sn_vec3 v_h = sn_vec3_add(to->velocity.v, sn_vec3_cross(to->velocity.w, arm));
    sn_vec3 slip = sn_vec3_sub(v_h, speed);
    sn_vec3 turn_slip = sn_vec3_sub(to->velocity.w, sn_mat3_apply(at.R, v.w));
    double taken = share * loop->def.period * pace * pace;
    input->supplied = -share * sn_vec3_dot(mean.f, sn_vec3_sub(at.p, from->p));
    input->turn_supplied = -share * sn_vec3_dot(mean.n, sni_small_turn(&from->R, &at.R));
    input->taken = taken * loop->terms.damping * sn_vec3_dot(slip, slip);
    input->turn_taken = taken * loop->terms.turn_damping * sn_vec3_dot(turn_slip, turn_slip);
    loop->f_w = f_w;
}

/// What the reaction law has a hand feel that does f_u.
static sn_status feel_reaction(const sni_haptic_loop* loop, sn_wrench f_u, sn_wrench* felt) {
    const double* w = loop->model.law.weight;
    sn_status status = sn_coupling_tick(&loop->model.law, &f_u, felt);
    if (loop->terms.weight)
        *felt = sn_wrench_add(
            *felt, sn_wrench_make(sn_vec3_make(w[0], w[1], w[2]), sn_vec3_make(w[3], w[4], w[5])));
    return status;
}

/// What the hand feels of the body it holds, and what the body feels of it.
static void pull_body(sni_haptic_loop* loop, sn_safety_input* input) {
    const sni_hold_terms* terms = &loop->terms;
    const sni_hand_map_def* map = &loop->def.map;
    sn_hand to = target(loop);
    spring_end from = body_end(loop);
    sn_wrench f_u, felt;
    input->law = sn_local_model_tick(&loop->model, &to, &f_u);
    if (loop->def.reaction) {
        sn_status status = feel_reaction(loop, f_u, &felt);
        if (!input->law) input->law = status;
        felt = at_point(loop, felt);
    } else {
        sn_wrench f_w = at_point(loop, f_u);
        felt = sn_wrench_scale(-1, f_w);
        input->stiffness = map->gain * map->scale * terms->stiffness;
        input->turn_stiffness = map->gain / map->scale * terms->turn_stiffness;
        count_energy(loop, &from, f_w, &to, input);
    }
    input->wanted = sni_hand_map_render(&loop->map, felt.f, terms->six ? felt.n : sn_vec3_zero());
    loop->pull.wrench = f_u;
}

// ---- what is touched --------------------------------------------------------------------------------------------

static void hear_of_surfaces(sni_haptic_loop* loop) {
    bool fresh;
    sni_hand_line* line = loop->line;
    const sn_local_geometry* shape = &line->shape[sni_mailbox_fetch(&line->shape_box, &fresh)];
    if (!fresh) return;
    if (loop->def.has_tool) {
        if (!loop->tool.started) sn_god_object_start(&loop->tool, loop->hand.pose);
        sn_god_object_refresh(&loop->tool, shape);
    } else {
        if (!loop->proxy.started) sn_proxy_start(&loop->proxy, loop->hand.pose.p);
        sn_proxy_refresh(&loop->proxy, shape);
    }
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

static void count_pushes(sni_haptic_loop* loop, const sn_touched* touched, int count) {
    double share = loop->def.period * loop->safety.report.gain;
    for (int k = 0; k < count; k++) {
        const sn_touched* at = &touched[k];
        if (at->body.i < 0) continue;
        sni_push* push = push_of(loop, at->body);
        sn_vec3 impulse = sn_vec3_scale(share, at->force);
        push->impulse = sn_vec3_add(push->impulse, impulse);
        push->moment = sn_vec3_add(push->moment, sn_vec3_cross(at->x, impulse));
    }
}

static void touch_with_point(sni_haptic_loop* loop, sn_safety_input* input) {
    sn_touch touch;
    input->law = sn_proxy_tick(&loop->proxy, loop->hand.pose.p, loop->hand.velocity.v,
                               loop->def.period, &touch);
    if (input->law) return;
    input->wanted = sni_hand_map_render(&loop->map, touch.force, sn_vec3_zero());
    count_pushes(loop, touch.at, touch.count);
}

static void touch_with_tool(sni_haptic_loop* loop, sn_safety_input* input) {
    sn_tool_touch touch;
    input->law = sn_god_object_tick(&loop->tool, &loop->hand, loop->def.period, &touch);
    if (input->law) return;
    const sni_hand_map_def* map = &loop->def.map;
    input->wanted = sni_hand_map_render(&loop->map, touch.wrench.f, touch.wrench.n);
    input->turn_stiffness = map->gain / map->scale * loop->def.touch.turn_stiffness;
    count_pushes(loop, touch.at, touch.listed);
}

static void touch_surfaces(sni_haptic_loop* loop, sn_safety_input* input) {
    const sni_hand_map_def* map = &loop->def.map;
    input->stiffness = map->gain * map->scale * loop->def.touch.stiffness;
    if (loop->def.has_tool)
        touch_with_tool(loop, input);
    else
        touch_with_point(loop, input);
}

// ---- a tick -----------------------------------------------------------------------------------------------------

static void count_buttons(sni_pull* pull, uint32_t buttons) {
    uint32_t begun = buttons & ~pull->buttons;
    for (int k = 0; begun >> k && k < SN_LINE_BUTTONS; k++)
        if (begun >> k & 1) pull->pressed[k]++;
    pull->buttons = buttons;
}

static sn_status follow_device(sni_haptic_loop* loop, int64_t now_ns) {
    const sn_device_sample* sample = &loop->sample;
    sn_status status = sn_device_read(loop->device, now_ns, &loop->sample);
    if (status) { // the hand is thought to rest where it was
        loop->hand.velocity = sn_twist_make(sn_vec3_zero(), sn_vec3_zero());
        return status;
    }
    count_buttons(&loop->pull, sample->buttons);
    loop->pull.gripper = sample->gripper;
    bool clutch = loop->def.clutch >= 0 && (sample->buttons >> loop->def.clutch & 1);
    sni_hand_map_follow(&loop->map, sample, clutch, loop->def.period, &loop->hand);
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
    pull->end = loop->hand.pose;
    if (loop->terms.hold) {
        pull->end.p = sn_vec3_add(pull->end.p, loop->point_offset);
        if (loop->terms.six) pull->end.R = sn_mat3_mul(pull->end.R, loop->turn_offset);
    }
    pull->lost = gain == 0;
}

static void publish(sni_haptic_loop* loop) {
    sni_hand_line* line = loop->line;
    unsigned slot = sni_mailbox_back(&line->sim_box);
    line->to_sim[slot] = loop->pull;
    line->state[slot] = (sni_hand_state){.meter = loop->meter,
                                         .safety = loop->safety.report,
                                         .latency = loop->latency,
                                         .force = loop->output,
                                         .felt = sni_hand_map_felt(&loop->map, &loop->output)};
    sni_mailbox_publish(&line->sim_box);
    line->to_coupling[sni_mailbox_back(&line->coupling_box)] = loop->pull;
    sni_mailbox_publish(&line->coupling_box);
}

/// The simulation stands still, or goes on: what the spring was then it will be.
static void heed_pause(sni_haptic_loop* loop, int64_t now_ns) {
    if (loop->paused && !loop->rested) keep_spring(loop);
    if (loop->rested && !loop->paused) loop->law_ns = now_ns; // it was well all the while
    loop->rested = loop->paused;
}

/// The answer to the newest sample is on its way.
static void count_latency(sni_haptic_loop* loop, int64_t now_ns) {
    const sn_clock* clock = &loop->def.clock;
    int64_t written_ns = clock->now_ns ? clock->now_ns(clock->context) : now_ns;
    sni_latency_count(&loop->latency, written_ns - loop->sample.time_ns);
}

SN_HOT void sni_haptic_loop_tick(sni_haptic_loop* loop, int64_t now_ns) {
    sn_safety_input input = {.now_ns = now_ns, .sample = &loop->sample, .paused = loop->paused};
    heed_pause(loop, now_ns);
    input.read = follow_device(loop, now_ns);
    hear_of_law(loop, now_ns);
    if (loop->def.touches) hear_of_surfaces(loop);
    bool holds = loop->terms.hold != 0, lets_go = loop->ending || loop->paused;
    sn_device_force output;
    input.law_ns = loop->law_ns;
    input.engaged = !lets_go && (holds || loop->proxy.started || loop->tool.started);
    loop->pull.wrench = sn_wrench_zero();
    if (loop->safety.report.gain > 0) loop->has_pulled = true;
    bool comes_back = loop->def.shown && loop->has_pulled && !loop->paused;
    if (holds && loop->safety.report.gain == 0 && !comes_back)
        align(loop); // what moved meanwhile does not pull
    else if (!loop->paused)
        keep_nothing(loop);
    if (input.engaged && holds)
        pull_body(loop, &input);
    else if (input.engaged)
        touch_surfaces(loop, &input);
    (void)sn_safety_apply(&loop->safety, &input, &output); // its report says what it did
    (void)sn_device_write(loop->device, now_ns, &output);  // one that is lost is found by reading
    if (!input.read) count_latency(loop, now_ns);
    loop->silent = sn_vec3_norm(output.force) == 0 && sn_vec3_norm(output.torque) == 0;
    if (!loop->ending) loop->output = output;
    count_pull(loop);
    publish(loop);
}
