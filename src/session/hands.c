// SPDX-License-Identifier: Apache-2.0
// The simulation's side of hands: what they did comes in before a step, what they hold goes out after it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/sn_session.h"

static const double IDLE_MOST = 0.05; // s: a hand whose loop is silent for so long pulls no more
static const double REACH = 0.05;     // m: how near a body must be to be grabbed
static const double GRIPPER_CLOSES = 0.7, GRIPPER_OPENS = 0.3; // of 0 open to 1 closed
enum { NEAR_MOST = 8, TOLD_MOST = 5 };
static const double TOUCH_REACH = 0.2; // m: surfaces that a hand may come to between two steps

// ---- holding ----------------------------------------------------------------------------------------------------

/// Locks, or frees, the joints that hold what is held together.
static void lock_still(const sn_session* session, sni_session_hand* hand, bool locked) {
    int32_t first = sn_simulation_first_body(session->sim, hand->item);
    sn_world* world = sn_simulation_world(session->sim);
    for (int i = 0; first >= 0 && i < hand->still_count; i++) // they are there with their item
        (void)sn_world_lock(world, sn_body(first + hand->still[i]), locked);
    if (!locked) hand->still_count = 0;
}

static void let_go(const sn_session* session, sni_session_hand* hand) {
    lock_still(session, hand, false);
    (void)sn_world_set_spring(sn_simulation_world(session->sim), (int)(hand - session->hand),
                              NULL); // refused where there are none
    hand->item = (sn_item_id){0};
    hand->terms.hold = 0;
    hand->wrench = hand->impulse = sn_wrench_zero();
    hand->elapsed = hand->idle = 0;
}

/// The item that a body of the whole is of; generation 0: none.
static sn_item_id item_of(const sn_session* session, int32_t body, int32_t* in_item) {
    for (int i = 0; i < sn_simulation_item_count(session->sim); i++) {
        sn_item_id id = sn_simulation_item_at(session->sim, i);
        int32_t first = sn_simulation_first_body(session->sim, id);
        int32_t count = sn_model_body_count(sn_simulation_item(session->sim, id)->model);
        *in_item = body - first;
        if (body >= first && body < first + count) return id;
    }
    return (sn_item_id){0};
}

sn_status sn_session_hold(sn_session* session, int number, sn_body_id body, sn_vec3 point) {
    int place = session ? sni_find_hand(session, number) : -1;
    if (place < 0) return SN_ERR_ARGUMENT;
    sni_session_hand* hand = &session->hand[place];
    int32_t in_item = -1;
    sn_item_id item = {0};
    if (body.i >= 0) item = item_of(session, body.i, &in_item);
    if (body.i >= 0 && !item.generation) return SN_ERR_ARGUMENT;
    let_go(session, hand);
    if (body.i < 0) return SN_OK;
    hand->item = item;
    hand->body_in_item = in_item;
    hand->terms.hold = ++session->holds;
    hand->terms.point = point;
    return SN_OK;
}

sn_status sn_session_hold_still(sn_session* session, int number, const sn_body_id* joints,
                                int count) {
    int place = session ? sni_find_hand(session, number) : -1;
    if (place < 0 || !session->hand[place].terms.hold || count < 0) return SN_ERR_ARGUMENT;
    sni_session_hand* hand = &session->hand[place];
    int32_t* still = calloc((size_t)count + 1, sizeof *still);
    if (!still) return SN_ERR_MEMORY;
    for (int i = 0; i < count; i++) {
        sn_item_id item = item_of(session, joints[i].i, &still[i]);
        if (item.generation && item.i == hand->item.i) continue;
        free(still);
        return SN_ERR_ARGUMENT;
    }
    lock_still(session, hand, false); // of before
    free(hand->still);
    hand->still = still;
    hand->still_count = count;
    lock_still(session, hand, true);
    return SN_OK;
}

/// Where bodies are in the whole now; a hand whose body is gone holds nothing.
static void find_bodies(sn_session* session) {
    for (int i = 0; i < session->def.most_hands; i++) {
        sni_session_hand* hand = &session->hand[i];
        if (!sni_is_taken(session, i)) continue;
        hand->body = sn_body_world();
        if (!hand->terms.hold) continue;
        int32_t first = sn_simulation_first_body(session->sim, hand->item);
        if (first < 0)
            let_go(session, hand);
        else
            hand->body = sn_body(first + hand->body_in_item);
    }
}

// ---- buttons ------------------------------------------------------------------------------------------------------

static void grab_nearest(sn_session* session, const sni_session_hand* hand) {
    sn_near_point near;
    sn_world* world = sn_simulation_world(session->sim);
    const sn_collider* collider = sn_world_collider(world);
    if (!collider || sn_collider_near(collider, hand->pull.hand.pose.p, REACH, ~0u, &near, 1) < 1)
        return;
    if (near.body.i < 0) return;
    sn_pose X = sn_dynamics_pose(sn_world_dynamics(world), near.body);
    (void)sn_session_hold(session, hand->number, near.body,
                          sn_pose_apply(sn_pose_inverse(X), near.x)); // a body that is there
}

/// The nearest body of another item than the one that is held, within reach of the held point; -1: none.
static sn_body_id nearest_other(sn_session* session, const sni_session_hand* hand) {
    sn_near_point near[NEAR_MOST];
    sn_world* world = sn_simulation_world(session->sim);
    const sn_collider* collider = sn_world_collider(world);
    if (!collider) return sn_body_world();
    sn_pose X = sn_dynamics_pose(sn_world_dynamics(world), hand->body);
    sn_vec3 at = sn_pose_apply(X, hand->terms.point);
    int count = sn_collider_near(collider, at, REACH, ~0u, near, NEAR_MOST);
    for (int i = 0; i < count && i < NEAR_MOST; i++) {
        int32_t in_item;
        if (near[i].body.i < 0) continue;
        if (item_of(session, near[i].body.i, &in_item).i != hand->item.i) return near[i].body;
    }
    return sn_body_world();
}

/// What is held is a gripper: it closes around what is near, which from then on moves with it.
static void close_gripper(sn_session* session, sni_session_hand* hand) {
    sn_error error = {0};
    char name[64];
    if (hand->grip.generation || hand->body.i < 0) return;
    sn_body_id other = nearest_other(session, hand);
    if (other.i < 0) return;
    sn_constraint weld = sn_constraint_default();
    weld.type = SN_CONSTRAINT_WELD;
    weld.a = hand->body;
    weld.b = other;
    (void)snprintf(name, sizeof name, "gripper of hand %d", hand->number);
    if (sn_simulation_hold(session->sim, name, &weld, false, &hand->grip, &error))
        sni_remark(session->sim, SN_LOG_WARNING, "hand '%s': %s", hand->name, error.text);
}

void sni_open_gripper(sn_session* session, sni_session_hand* hand) {
    if (hand->grip.generation)
        (void)sn_simulation_release(session->sim, hand->grip, NULL); // it may be gone with its item
    hand->grip = (sn_hold_id){0};
}

/// As the device measures it, where the hand has a gripper.
static void follow_gripper(sn_session* session, sni_session_hand* hand) {
    bool closed = hand->pull.gripper > (hand->closed ? GRIPPER_OPENS : GRIPPER_CLOSES);
    if (closed == hand->closed) return;
    hand->closed = closed;
    for (int k = 0; k < SN_HAND_BUTTONS; k++) {
        if (!hand->action[k] || strcmp(hand->action[k], "gripper") != 0) continue;
        if (closed)
            close_gripper(session, hand);
        else
            sni_open_gripper(session, hand);
    }
}

static void answer(sn_session* session, sni_session_hand* hand, const char* action) {
    sn_error error = {0};
    if (strcmp(action, "clutch") == 0) return; // the haptic loop's
    if (strcmp(action, "grab") == 0) {
        if (hand->terms.hold)
            let_go(session, hand);
        else
            grab_nearest(session, hand);
    } else if (strcmp(action, "gripper") == 0) {
        if (hand->grip.generation)
            sni_open_gripper(session, hand);
        else
            close_gripper(session, hand);
    } else if (sn_simulation_command(session->sim, action, NULL, 0, &error)) {
        sni_remark(session->sim, SN_LOG_WARNING, "hand '%s': %s", hand->name, error.text);
    }
}

static void answer_buttons(sn_session* session, sni_session_hand* hand) {
    for (int k = 0; k < SN_LINE_BUTTONS; k++) {
        uint32_t presses = hand->pull.pressed[k] - hand->seen[k];
        hand->seen[k] = hand->pull.pressed[k];
        if (presses % 2 == 1 && k < SN_HAND_BUTTONS && hand->action[k])
            answer(session, hand, hand->action[k]);
    }
    follow_gripper(session, hand);
}

/// A line for the log when trouble has stopped a force that somebody feels, the first few times.
static void tell_of_trips(const sn_session* session, sni_session_hand* hand) {
    const sn_safety_report* safety = &hand->state.safety;
    if (safety->trips == hand->trips) return;
    hand->trips = safety->trips;
    if (safety->trips <= TOLD_MOST && !sn_device_profile_of(hand->device)->shown)
        sni_say(&session->def.log, SN_LOG_NOTE, sni_nowhere(), "hand '%s': no force for now: %s",
                hand->name, sn_safety_cause_text(safety->last_trip));
}

// ---- before a step ------------------------------------------------------------------------------------------------

/// What the hand did to its body since the last step, on average; what it did before while the clock stands still.
static sn_wrench average(sni_session_hand* hand, double h, bool paused) {
    const sni_pull* pull = &hand->pull;
    double time = pull->elapsed - hand->elapsed;
    if (pull->hold != hand->terms.hold) return sn_wrench_zero();
    if (time > 0) {
        sn_wrench sum = sn_wrench_sub(pull->impulse, hand->impulse);
        hand->impulse = pull->impulse;
        hand->elapsed = pull->elapsed;
        hand->idle = 0;
        return paused ? hand->wrench : sn_wrench_scale(1 / time, sum);
    }
    hand->idle += h;
    return hand->idle < IDLE_MOST ? hand->wrench : sn_wrench_zero();
}

/// Adds a wrench to the sum of its body.
static void add_wrench(sni_wrench_list* list, sn_body_id body, sn_wrench wrench) {
    int k = 0;
    while (k < list->count && list->at[k].body.i != body.i) k++;
    if (k == list->most) return; // more bodies are touched at once than hands have places for
    if (k == list->count) list->at[list->count++] = (sn_body_wrench){body, sn_wrench_zero()};
    list->at[k].wrench = sn_wrench_add(list->at[k].wrench, wrench);
}

/// What touching gave to bodies since the last step, on average.
static void add_pushes(sn_session* session, sni_session_hand* hand, const sni_pull* before) {
    const sni_pull* pull = &hand->pull;
    sn_world* world = sn_simulation_world(session->sim);
    double time = pull->time - before->time;
    for (int k = 0; time > 0 && k < SN_LINE_PUSHES; k++) {
        const sni_push *now = &pull->push[k], *old = &before->push[k];
        bool same = now->number == old->number;
        if (now->body.i < 0 || now->body.i >= sn_model_body_count(sn_world_model(world))) continue;
        sn_vec3 f = same ? sn_vec3_sub(now->impulse, old->impulse) : now->impulse;
        sn_vec3 n = same ? sn_vec3_sub(now->moment, old->moment) : now->moment;
        if (sn_vec3_norm(f) == 0) continue;
        sn_wrench about_world =
            sn_wrench_make(sn_vec3_scale(1 / time, n), sn_vec3_scale(1 / time, f));
        sn_pose X = sn_dynamics_pose(sn_world_dynamics(world), now->body);
        add_wrench(&session->wrenches, now->body, sn_pose_wrench_inverse(X, about_world));
    }
}

/// Gives the world the sums, and takes back those of bodies that nobody touches any more.
static void apply_wrenches(sn_session* session) {
    sn_world* world = sn_simulation_world(session->sim);
    const sni_wrench_list* before = &session->before;
    for (int k = 0; k < before->count; k++) {
        bool still = false;
        for (int j = 0; j < session->wrenches.count; j++)
            still = still || session->wrenches.at[j].body.i == before->at[k].body.i;
        if (!still) // refused where the body is gone
            (void)sn_world_set_pull(world, before->at[k].body, sn_wrench_zero());
    }
    for (int k = 0; k < session->wrenches.count; k++) {
        const sn_body_wrench* w = &session->wrenches.at[k];
        sn_world_wake(world, w->body); // what is held is felt, so it does not sleep
        (void)sn_world_set_pull(world, w->body, w->wrench); // it is there, and finite
    }
}

static void hand_listen(sn_session* session, int index) {
    sni_hand_line* line = session->line[index];
    unsigned slot = sni_mailbox_fetch(&line->sim_box, NULL);
    session->hand[index].pull = line->to_sim[slot];
    session->hand[index].state = line->state[slot];
}

void sni_listen(sn_session* session) {
    sni_coupling_loop* loop = session->coupling;
    session->coupling_meter = loop->shown[sni_mailbox_fetch(&loop->meter_box, NULL)];
    for (int i = 0; i < session->def.most_hands; i++)
        if (sni_is_taken(session, i)) hand_listen(session, i);
}

void sni_hands_rest(sn_session* session) {
    sni_listen(session);
    sni_forget_rates(session);
    for (int i = 0; i < session->def.most_hands; i++) {
        sni_session_hand* hand = &session->hand[i];
        if (!sni_is_taken(session, i)) continue;
        hand->wrench = average(hand, 0, true);
        hand->counted = hand->pull;
        answer_buttons(session, hand);
        tell_of_trips(session, hand);
    }
    find_bodies(session);
}

/// Without inertia a body goes where forces balance, so the simulation has to know of the spring that pulls, not of what
/// it pulled with. A hand that loses its force gives none, by the same ramp.
static void set_spring(sn_session* session, int place, bool pulls) {
    const sni_session_hand* hand = &session->hand[place];
    const sni_hold_terms* terms = &hand->terms;
    const sn_safety_report* safety = &hand->state.safety;
    sn_world* world = sn_simulation_world(session->sim);
    double share = safety->cause != SN_CAUSE_NONE ? safety->gain : 1;
    sn_spring spring = {.body = hand->body,
                        .point = terms->point,
                        .anchor = hand->pull.end,
                        .stiffness = share * terms->stiffness,
                        .turn_stiffness = terms->six ? share * terms->turn_stiffness : 0,
                        .most_force = share * terms->most_force};
    bool set = pulls && hand->body.i >= 0 && !sn_world_set_spring(world, place, &spring);
    if (!set) (void)sn_world_set_spring(world, place, NULL); // places beyond have none
}

void sni_hands_pull(sn_session* session) {
    const sn_world* world = sn_simulation_world(session->sim);
    double h = sn_world_step_size(world) / session->pace;
    bool still = sn_world_integrator(world) == SN_INTEGRATE_QUASISTATIC;
    sni_wrench_list before = session->before;
    session->before = session->wrenches;
    session->wrenches = before;
    session->wrenches.count = 0;
    sni_listen(session);
    for (int i = 0; i < session->def.most_hands; i++) {
        sni_session_hand* hand = &session->hand[i];
        if (!sni_is_taken(session, i)) continue;
        add_pushes(session, hand, &hand->counted);
        hand->counted = hand->pull;
        answer_buttons(session, hand);
        tell_of_trips(session, hand);
    }
    find_bodies(session);
    for (int i = 0; i < session->def.most_hands; i++) {
        sni_session_hand* hand = &session->hand[i];
        if (!sni_is_taken(session, i)) continue;
        hand->wrench = average(hand, h, session->paused);
        if (still)
            set_spring(session, i, hand->pull.hold == hand->terms.hold && hand->idle < IDLE_MOST);
        else if (hand->body.i >= 0)
            add_wrench(&session->wrenches, hand->body, hand->wrench);
    }
    apply_wrenches(session);
}

// ---- after a step ---------------------------------------------------------------------------------------------------

/// The hands of a party, by whether they hold something; returns how many do.
static int sort_hands(sn_session* session, int party, sni_law_record* record,
                      sn_body_wrench* held) {
    const sn_world* world = sn_simulation_world(session->sim);
    bool still = sn_world_integrator(world) == SN_INTEGRATE_QUASISTATIC;
    int count = 0;
    record->idle_count = 0;
    for (int k = 0; k < SN_GRAB_MAX; k++) {
        int place = party * SN_GRAB_MAX + k;
        if (place >= session->def.most_hands || !sni_is_taken(session, place)) continue;
        sni_session_hand* hand = &session->hand[place];
        if (hand->body.i < 0 || !hand->terms.hold) {
            record->idle[record->idle_count++] = place;
        } else {
            if (still) hand->wrench = sn_world_spring_wrench(world, place);
            held[count] = (sn_body_wrench){hand->body, hand->wrench};
            record->hand[count++] = place;
        }
    }
    return count;
}

/// False: the world has no law to give.
static bool make_record(sn_session* session, int party) {
    sn_world* world = sn_simulation_world(session->sim);
    sni_party* to = session->coupling->party[party];
    sni_law_record* record = &to->law[sni_mailbox_back(&to->law_box)];
    sn_body_wrench held[SN_GRAB_MAX];
    int count = sort_hands(session, party, record, held);
    sn_coupling_law* law = &record->contacts.free;
    law->count = record->contacts.count = 0;
    if (count > 0 && sn_world_coupling(world, held, count, &record->contacts, NULL)) return false;
    for (int i = 0; i < count; i++) {
        sni_session_hand* hand = &session->hand[record->hand[i]];
        if (hand->def.fit && hand->fitted != hand->terms.hold) sni_fit_gains(session, hand, law, i);
        record->terms[i] = hand->terms;
    }
    law->step = sn_world_step_count(world);
    law->time = sn_world_time(world);
    record->number = session->records;
    record->step = sn_world_step_size(world) / session->pace;
    record->pace = session->pace;
    return true;
}

bool sni_hands_make_law(sn_session* session) {
    session->records++;
    for (int i = 0; i < session->coupling->parties; i++)
        if (!make_record(session, i)) return false;
    return true;
}

/// What a hand that touches can reach until the next step.
static void publish_surfaces(sn_session* session, int place) {
    const sni_session_hand* hand = &session->hand[place];
    sni_hand_line* line = session->line[place];
    const sn_collider* collider = sn_world_collider(sn_simulation_world(session->sim));
    if (!collider || !hand->loop->def.touches || hand->pull.ticks == 0) return;
    sn_local_geometry* shape = &line->shape[sni_mailbox_back(&line->shape_box)];
    double reach = TOUCH_REACH + 0.5 * sn_vec3_norm(hand->def.tool);
    sn_collider_local(collider, hand->pull.hand.pose.p, reach, ~0u, shape);
    for (int k = 0; k < shape->count; k++) // by the clock of the hand
        shape->piece[k].velocity = sn_twist_scale(session->pace, shape->piece[k].velocity);
    sni_mailbox_publish(&line->shape_box);
}

void sni_hands_publish(sn_session* session) {
    for (int i = 0; i < session->coupling->parties; i++)
        sni_mailbox_publish(&session->coupling->party[i]->law_box);
    for (int i = 0; i < session->def.most_hands; i++)
        if (sni_is_taken(session, i)) publish_surfaces(session, i);
}
