// SPDX-License-Identifier: Apache-2.0
// Stage 7: impulses at the contacts, and what undoes overlap without giving velocity.
#include <string.h>

#include "sim/sn_sim.h"

static sn_solve_options options_of_step(const sn_world* world) {
    const sn_world_contact* def = &world->def.contact;
    sn_solve_options options = def->solve;
    options.tolerance = world->settings.tolerance;
    options.iterations = world->settings.iterations;
    options.clock = world->clock;
    options.deadline_ns = 0;
    if (def->solve_time != INFINITY)
        options.deadline_ns =
            world->clock.now_ns(world->clock.context) + (int64_t)(def->solve_time * 1e9);
    return options;
}

/// Where a tape says how far a clock let a solve come, no clock is asked.
static sn_solve_options limit(const sn_solve_options* options, int64_t decided) {
    sn_solve_options limited = *options;
    if (decided == 0) return limited;
    // never more than there may be; 0 is the solver's own limit
    if (limited.iterations == 0 || decided < limited.iterations) limited.iterations = decided;
    limited.deadline_ns = 0;
    return limited;
}

/// Without impulses velocities are those of free motion.
static void move_freely(sn_world* world) {
    const double* from = world->work.v_free;
    double* to = world->work.v_plus;
    int32_t moving;
    const int32_t* joints = sni_moving(world, &moving);
    for (int32_t k = 0; k < moving; k++) {
        const sni_joint* joint = &world->model->joint[joints[k]];
        memcpy(to + joint->iv, from + joint->iv, joint->nv * sizeof *to);
    }
}

static sn_status solve_velocities(sn_world* world, const sn_solve_options* options,
                                  sn_step_report* report) {
    sni_contacts* contacts = &world->contacts;
    sn_contact_report solved;
    sn_solve_options limited = limit(options, world->decided[0]);
    sn_status status =
        sn_contact_set_solve_built(contacts->set, world->dynamics, world->work.v_free,
                                   contacts->solver, &limited, world->work.v_plus, &solved, NULL);
    if (status) return status;
    if (solved.solve.late) world->decided[0] = solved.iterations;
    contacts->solved = sn_contact_set_problem(contacts->set)->count > 0;
    // a new contact may have to wake joints
    if (solved.known < report->contact.points) world->region_due = true;
    sn_contact_summary* summary = &report->contact;
    summary->bounces = solved.bounces;
    summary->calmed = solved.calmed;
    summary->iterations = solved.iterations;
    summary->residual = solved.solve.verdict.residual;
    summary->energy = solved.energy;
    if (solved.solve.late) report->events |= SN_EVENT_LATE;
    if (!(summary->residual <= options->tolerance)) report->events |= SN_EVENT_UNSOLVED;
    return SN_OK;
}

/// w = M^-1 J' s. Overlap is no matter of precision: few sweeps do, and what they leave comes next step.
static sn_status solve_positions(sn_world* world, const sn_solve_options* options,
                                 sn_step_report* report) {
    static const double TOLERANCE = 1e-2;
    static const int64_t ITERATIONS = 30;
    sni_contacts* contacts = &world->contacts;
    if (!sni_contact_set_is_off(contacts->set)) return SN_OK;
    const sn_contact_problem* problem = sn_contact_set_position_problem(contacts->set);
    sn_solve_options few = *options;
    few.tolerance = fmax(few.tolerance, TOLERANCE);
    few.iterations = ITERATIONS;
    few = limit(&few, world->decided[1]);
    sn_solve_report solved;
    double* s = world->work.s;
    memset(s, 0, (size_t)sn_contact_rows(problem) * sizeof *s);
    sn_status status = sn_contact_solve(contacts->solver, problem, &few, s, &solved, NULL);
    if (status) return status;
    report->contact.position_iterations = solved.iterations;
    if (solved.late) {
        world->decided[1] = solved.iterations;
        report->events |= SN_EVENT_LATE;
    }
    int count = sn_contact_set_wrenches(contacts->set, problem, s, world->work.joint_impulse,
                                        world->work.wrench);
    status = sn_dynamics_impulse(world->dynamics, world->work.joint_impulse, world->work.wrench,
                                 count, world->work.w);
    if (status) return status;
    contacts->pushed = true;
    for (int32_t k = 0; k < world->model->nv; k++)
        report->contact.push = fmax(report->contact.push, fabs(world->h * world->work.w[k]));
    return SN_OK;
}

static void tell_decisions(sn_world* world) {
    int64_t* decided = world->decided;
    if (decided[0] == 0 && decided[1] == 0) return;
    sni_tell(world,
             &(sn_command){.type = SN_COMMAND_SOLVED, .iterations = {decided[0], decided[1]}});
    decided[0] = decided[1] = 0;
}

sn_status sni_stage_solve(sn_world* world, sn_step_report* report) {
    if (!sni_has_contact(world)) return SN_OK;
    sni_contacts* contacts = &world->contacts;
    contacts->pushed = contacts->solved = false;
    if (!contacts->built) {
        move_freely(world);
        return SN_OK;
    }
    sn_solve_options options = options_of_step(world);
    sn_status status = solve_velocities(world, &options, report);
    sn_status trouble = sni_contact_solver_trouble(contacts->solver);
    if (status) move_freely(world);
    if (!status && !trouble) {
        status = solve_positions(world, &options, report);
        trouble = sni_contact_solver_trouble(contacts->solver);
    }
    if (status) report->events |= SN_EVENT_NO_CONTACT;
    tell_decisions(world);
    if (trouble) return sni_blame(world, "solver", world->def.contact.solver, trouble);
    return sni_dynamics_trouble(world->dynamics);
}
