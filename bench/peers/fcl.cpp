// SPDX-License-Identifier: Apache-2.0
// FCL (with libccd): how far apart two convex solids are, or how deep they overlap. Started by sinew-compare-fcl.
//
// It reads one pair per line on standard input, two solids:
//   TYPE SIZES POSE      sphere R | box HX HY HZ | cylinder R H | capsule R H | hull N X Y Z ... M K I J ...
// half sizes; POSE is the rotation by rows and the origin. Each pair is answered by a line
//   DISTANCE NX NY NZ    negative: overlap; the normal from the second to the first, zero where there is none
// or nan where FCL fails. Tolerances are TOLERANCE, all other parameters FCL's own.
//
// Spheres that overlap something for which FCL has a formula are asked by its collision query, all other pairs by its
// signed distance: the collision query stops at a depth that is not the least. That one ends the program where
// rounding surprises it, so pairs are computed by a process that is replaced when it dies.
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <fcl/fcl.h>

namespace {

constexpr double TOLERANCE = 1e-9;
constexpr unsigned LIMIT = 5; // s, of one pair

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

double number(std::istream& in) {
    double x;
    if (!(in >> x)) throw std::runtime_error("a number is missing");
    return x;
}

int count(std::istream& in) {
    int n;
    if (!(in >> n)) throw std::runtime_error("a count is missing");
    return n;
}

Geometry read_hull(std::istream& in) {
    auto corners = std::make_shared<std::vector<fcl::Vector3d>>();
    auto faces = std::make_shared<std::vector<int>>();
    for (int n = count(in); n > 0; n--) {
        double x = number(in), y = number(in), z = number(in);
        corners->emplace_back(x, y, z);
    }
    int face_count = count(in);
    for (int f = 0; f < face_count; f++) {
        int n = count(in);
        faces->push_back(n);
        for (int k = 0; k < n; k++) faces->push_back(count(in));
    }
    return std::make_shared<fcl::Convexd>(corners, face_count, faces);
}

Geometry read_geometry(std::istream& in) {
    std::string type;
    in >> type;
    if (type == "hull") return read_hull(in);
    double r = number(in);
    if (type == "sphere") return std::make_shared<fcl::Sphered>(r);
    double h = number(in);
    if (type == "cylinder") return std::make_shared<fcl::Cylinderd>(r, 2 * h);
    if (type == "capsule") return std::make_shared<fcl::Capsuled>(r, 2 * h);
    if (type != "box") throw std::runtime_error("unknown type " + type);
    double z = number(in);
    return std::make_shared<fcl::Boxd>(2 * r, 2 * h, 2 * z);
}

fcl::CollisionObjectd read_object(std::istream& in) {
    Geometry geometry = read_geometry(in);
    fcl::Transform3d X = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) X.linear()(i, j) = number(in);
    for (int i = 0; i < 3; i++) X.translation()(i) = number(in);
    return fcl::CollisionObjectd(geometry, X);
}

struct Answer {
    double distance;
    fcl::Vector3d normal;
};

Answer failure() { return Answer{NAN, fcl::Vector3d::Zero()}; }

bool has_formula(const fcl::CollisionObjectd& sphere, const fcl::CollisionObjectd& other) {
    return sphere.getNodeType() == fcl::GEOM_SPHERE && other.getNodeType() != fcl::GEOM_CONVEX;
}

// The deepest contact; none: false.
bool overlap(const fcl::CollisionObjectd& a, const fcl::CollisionObjectd& b, Answer* answer) {
    fcl::CollisionRequestd request(1, true);
    request.gjk_tolerance = TOLERANCE;
    fcl::CollisionResultd result;
    if (fcl::collide(&a, &b, request, result) == 0) return false;
    const fcl::Contactd& contact = result.getContact(0);
    *answer = Answer{-contact.penetration_depth, -contact.normal};
    return true;
}

Answer signed_distance(const fcl::CollisionObjectd& a, const fcl::CollisionObjectd& b,
                       bool is_signed) {
    fcl::DistanceRequestd request(true, is_signed);
    request.distance_tolerance = TOLERANCE;
    fcl::DistanceResultd result;
    double distance = fcl::distance(&a, &b, request, result);
    fcl::Vector3d between = result.nearest_points[0] - result.nearest_points[1];
    double norm = between.norm();
    if (!(norm > 0)) return Answer{distance, fcl::Vector3d::Zero()};
    return Answer{distance, between / (distance < 0 ? -norm : norm)};
}

Answer ask(const std::string& line) {
    std::istringstream in(line);
    fcl::CollisionObjectd a = read_object(in), b = read_object(in);
    bool formula = has_formula(a, b) || has_formula(b, a);
    Answer answer = failure();
    if (formula && overlap(a, b, &answer)) return answer;
    return signed_distance(a, b, !formula);
}

// In a process of its own: answers from line `first` on, until the end or the first that kills it.
void answer_all(const std::vector<std::string>& lines, std::size_t first, int pipe) {
    std::freopen("/dev/null", "w", stderr); // what its assertions say
    for (std::size_t k = first; k < lines.size(); k++) {
        Answer answer = failure();
        alarm(LIMIT);
        try {
            answer = ask(lines[k]);
        } catch (const std::exception&) { // its search failed
        }
        const double x[4] = {answer.distance, answer.normal[0], answer.normal[1], answer.normal[2]};
        if (write(pipe, x, sizeof x) != static_cast<ssize_t>(sizeof x)) break;
    }
    _exit(0);
}

void print(const double x[4]) { std::printf("%.17g %.17g %.17g %.17g\n", x[0], x[1], x[2], x[3]); }

// Returns how many lines were answered; the one after them failed.
std::size_t run(const std::vector<std::string>& lines, std::size_t first) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    pid_t child = fork();
    if (child == 0) answer_all(lines, first, ends[1]);
    close(ends[1]);
    double x[4];
    std::size_t answered = 0;
    // a pipe passes writes this short on whole
    while (child > 0 && read(ends[0], x, sizeof x) == static_cast<ssize_t>(sizeof x)) {
        print(x);
        answered++;
    }
    close(ends[0]);
    if (child > 0) waitpid(child, nullptr, 0);
    return answered;
}

} // namespace

int main() {
    std::vector<std::string> lines;
    for (std::string line; std::getline(std::cin, line);) lines.push_back(line);
    for (std::size_t k = 0; k < lines.size();) {
        k += run(lines, k);
        if (k++ == lines.size()) break;
        const double nothing[4] = {NAN, 0, 0, 0};
        print(nothing);
        std::fflush(stdout);
    }
    return 0;
}
