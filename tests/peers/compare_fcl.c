// SPDX-License-Identifier: Apache-2.0
// usage: sinew-compare-fcl FCL_HELPER [PAIRS]
//
// Random pairs of every two convex types, half of them apart and half overlapping, by our pair functions and by FCL.
// Where the two differ, whose fault it is can be told: along any direction n solids are as far apart as their extents
// along n say, in long double here, and how far apart they are is the maximum over n. So
//   - along FCL's own normal they may turn out to be nearer, or deeper, than it says: its distance is wrong;
//   - they may be farther apart along our normal than FCL says they are: its distance is too small, or its depth too
//     large;
//   - of solids that are apart, our two points lie in the solids: FCL's larger distance is wrong.
// What is left is explained by nothing; and if solids are farther apart along FCL's normal than we say, we are wrong.
// Ends with status 1 when there is either.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/solids.h"

static const double TOLERANCE = 1e-9;
// Our gap, where a cap leaves out its deepest point.
static const double OFF = 1e-5;
// FCL is asked for 1e-9 and often gives 1e-6: what counts as a difference.
static const double DIFFERENT = 1e-6;

typedef struct pair {
    test_solid *a, *b;
    sn_pose X_a, X_b;
    double size;
    sni_touch ours; ///< the deepest point
    double gap; ///< along its normal: caps leave out points that are deeper by 1e-5 of their radius
} pair;

static pair make(test_rng* rng, sn_shape_type a, sn_shape_type b) {
    pair p = {.a = solid_random(rng, a, 1), .b = solid_random(rng, b, 1)};
    p.X_a = sn_pose_make(test_rotation(rng), test_vec3(rng, 0.45));
    p.X_b = sn_pose_make(test_rotation(rng), test_vec3(rng, 0.45));
    p.size = p.a->solid.radius + p.b->solid.radius;
    sni_touch at[64];
    sni_touches found = {at, 0, 64, 0};
    sni_pair_memory memory = {.hint = SNI_HINT_NONE};
    sni_touch_pair(&p.a->solid, &p.X_a, &p.b->solid, &p.X_b, 100, &memory, &found);
    p.ours = (sni_touch){.gap = INFINITY};
    for (int k = 0; k < found.count; k++)
        if (at[k].gap < p.ours.gap) p.ours = at[k];
    p.gap = (double)solids_apart(p.a, &p.X_a, p.b, &p.X_b, long3_of(p.ours.n));
    return p;
}

static void write_hull(FILE* out, const sni_hull* hull) {
    fprintf(out, "hull %d", hull->vertex_count);
    for (int k = 0; k < hull->vertex_count; k++)
        fprintf(out, " %.17g %.17g %.17g", hull->vertex[k].x, hull->vertex[k].y, hull->vertex[k].z);
    fprintf(out, " %d", hull->face_count);
    for (int f = 0; f < hull->face_count; f++) {
        fprintf(out, " %d", hull->face[f + 1] - hull->face[f]);
        for (int k = hull->face[f]; k < hull->face[f + 1]; k++)
            fprintf(out, " %d", hull->corner[k]);
    }
}

static void write_solid(FILE* out, const test_solid* s, const sn_pose* X) {
    sn_vec3 half = s->solid.half;
    switch (s->solid.type) {
    case SN_SHAPE_BOX: fprintf(out, "box %.17g %.17g %.17g", half.x, half.y, half.z); break;
    case SN_SHAPE_CYLINDER: fprintf(out, "cylinder %.17g %.17g", half.x, half.z); break;
    case SN_SHAPE_CAPSULE: fprintf(out, "capsule %.17g %.17g", half.x, half.z); break;
    case SN_SHAPE_HULL: write_hull(out, s->hull); break;
    default: fprintf(out, "sphere %.17g", half.x);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) fprintf(out, " %.17g", X->R.m[i][j]);
    fprintf(out, " %.17g %.17g %.17g ", X->p.x, X->p.y, X->p.z);
}

/// What was found for two types.
typedef struct tally {
    int apart, overlapping, agreeing;
    double sum;                                     ///< of differences where they agree
    int failed, refuted_apart, refuted_overlapping; ///< answers of FCL
    double refuted;                                 ///< worst of those
    int unexplained;
    double beaten; ///< how much better than ours a direction of FCL's was
    double off;    ///< of our gap from that along our normal
} tally;

/// Whether our two points prove that FCL's distance is too large.
static bool points_prove(const pair* p) {
    sn_vec3 half = sn_vec3_scale(0.5 * p->ours.gap, p->ours.n);
    return p->ours.gap > 0 &&
           solid_outside(p->a, &p->X_a, sn_vec3_add(p->ours.x, half)) <= TOLERANCE * p->size &&
           solid_outside(p->b, &p->X_b, sn_vec3_sub(p->ours.x, half)) <= TOLERANCE * p->size;
}

/// Whether FCL's answer contradicts what is known.
static bool is_refuted(const pair* p, double distance, double along_its_normal) {
    double slack = 0.5 * DIFFERENT * p->size;
    return along_its_normal < distance - slack || p->gap > distance + slack ||
           (distance > p->gap && points_prove(p));
}

static void judge(const pair* p, double distance, sn_vec3 n, tally* t) {
    double difference = fabs(distance - p->gap) / p->size;
    bool apart = p->gap > 0, has_normal = sn_vec3_dot(n, n) > 0.5;
    *(apart ? &t->apart : &t->overlapping) += 1;
    t->off = fmax(t->off, fabs(p->ours.gap - p->gap) / p->size);
    if (!isfinite(distance)) {
        t->failed++;
        return;
    }
    double along = INFINITY;
    if (has_normal) {
        along = (double)solids_apart(p->a, &p->X_a, p->b, &p->X_b, long3_unit(long3_of(n)));
        t->beaten = fmax(t->beaten, (along - p->gap) / p->size);
    }
    if (difference <= DIFFERENT) {
        t->agreeing++;
        t->sum += difference;
    } else if (is_refuted(p, distance, along)) {
        *(apart ? &t->refuted_apart : &t->refuted_overlapping) += 1;
        t->refuted = fmax(t->refuted, difference);
    } else {
        t->unexplained++;
    }
}

static FILE* answers_of(const char* helper, FILE* questions) {
    char command[4096];
    FILE* answers = tmpfile();
    if (!answers) return NULL;
    fflush(questions);
    snprintf(command, sizeof command, "'%s' < /proc/%d/fd/%d > /proc/%d/fd/%d 2> /dev/null", helper,
             (int)getpid(), fileno(questions), (int)getpid(), fileno(answers));
    if (system(command) != 0) {
        fclose(answers);
        return NULL;
    }
    rewind(answers);
    return answers;
}

static bool compare(const char* helper, sn_shape_type a, sn_shape_type b, int pairs, tally* t) {
    FILE* questions = tmpfile();
    if (!questions) return false;
    uint64_t seed = (uint64_t)a * 16 + b + 1;
    test_rng rng = test_rng_make(seed);
    for (int k = 0; k < pairs; k++) {
        pair p = make(&rng, a, b);
        write_solid(questions, p.a, &p.X_a);
        write_solid(questions, p.b, &p.X_b);
        fputc('\n', questions);
        solid_free(p.a);
        solid_free(p.b);
    }
    FILE* answers = answers_of(helper, questions);
    fclose(questions);
    if (!answers) return false;
    rng = test_rng_make(seed); // the same pairs again
    bool complete = true;
    for (int k = 0; k < pairs && complete; k++) {
        pair p = make(&rng, a, b);
        char line[256];
        double x[4];
        complete = fgets(line, sizeof line, answers) &&
                   sscanf(line, "%lf %lf %lf %lf", &x[0], &x[1], &x[2], &x[3]) == 4;
        if (complete) judge(&p, x[0], sn_vec3_make(x[1], x[2], x[3]), t);
        solid_free(p.a);
        solid_free(p.b);
    }
    fclose(answers);
    return complete;
}

int main(int argc, char** argv) {
    int pairs = argc > 2 ? atoi(argv[2]) : 100000, bad = 0;
    if (argc < 2 || pairs <= 0) {
        fprintf(stderr, "usage: sinew-compare-fcl FCL_HELPER [PAIRS]\n");
        return 2;
    }
    printf(
        "%d random pairs of each two types; differences over the size; FCL refuted: of apart, of "
        "overlapping, worst\n",
        pairs);
    printf("%-18s %6s %7s %9s %20s %7s %12s %12s %9s\n", "types", "apart", "overlap", "mean",
           "FCL refuted", "failed", "unexplained", "we beaten by", "our gap");
    for (int i = 0; i < SOLID_TYPES; i++)
        for (int j = i; j < SOLID_TYPES; j++) {
            tally t = {0};
            if (!compare(argv[1], solid_types[i], solid_types[j], pairs, &t)) {
                fprintf(stderr, "%s did not answer\n", argv[1]);
                return 2;
            }
            char types[32];
            snprintf(types, sizeof types, "%s %s", solid_type_name(solid_types[i]),
                     solid_type_name(solid_types[j]));
            printf("%-18s %6d %7d %9.1e %6d %6d %7.0e %6d %12d %12.1e %9.1e\n", types, t.apart,
                   t.overlapping, t.agreeing ? t.sum / t.agreeing : 0, t.refuted_apart,
                   t.refuted_overlapping, t.refuted, t.failed, t.unexplained, t.beaten, t.off);
            fflush(stdout);
            bad += t.unexplained > 0 || !(t.beaten <= TOLERANCE) || !(t.off <= OFF);
        }
    return bad ? 1 : 0;
}
