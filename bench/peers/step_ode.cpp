// SPDX-License-Identifier: Apache-2.0
// ODE: dWorldQuickStep, variants by its iterations. Friction is its pyramid that scales with the normal
// force (dContactApprox1); all other parameters are its own. Nothing is put to sleep.
//
// Its bodies sit at their centres of mass. Trees are not built: their joints would be constraints between
// free bodies, and what holds them a motor.
#include "step.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include <ode/ode.h>
#include <ode/version.h>

namespace {

using namespace peer;

constexpr int contacts_of_pair = 8;  // of two boxes
constexpr double bounce_least = 0.1; // m/s

class Ode : public Stepper {
  public:
    Ode(const Scene& scene, const std::string& variant) : scene_(scene) {
        for (const Body& body : scene.model.bodies) {
            if (!is_root(body)) throw std::runtime_error("joints are not built for ODE");
        }
        dRandSetSeed(0); // it sweeps in a random order
        world_ = dWorldCreate();
        space_ = dHashSpaceCreate(nullptr);
        contacts_ = dJointGroupCreate(0);
        dWorldSetGravity(world_, scene.gravity[0], scene.gravity[1], scene.gravity[2]);
        dWorldSetQuickStepNumIterations(world_, std::atoi(variant.c_str()));
        for (size_t i = 0; i < scene.model.bodies.size(); i++) add_body(i);
        for (const Shape& shape : scene.shapes) add_shape(shape);
    }

    ~Ode() override {
        dJointGroupDestroy(contacts_);
        dSpaceDestroy(space_);
        dWorldDestroy(world_);
    }

    void step() override {
        count_ = 0;
        depth_ = 0;
        dSpaceCollide(space_, this, [](void* self, dGeomID a, dGeomID b) {
            static_cast<Ode*>(self)->touch(a, b);
        });
        dWorldQuickStep(world_, scene_.step);
        dJointGroupEmpty(contacts_);
    }

    Look look() const override {
        Look look{count_, depth_, {}};
        for (size_t i = 0; i < bodies_.size(); i++) look.roots.push_back(root(i));
        return look;
    }

  private:
    void add_body(size_t i) {
        const Body& body = scene_.model.bodies[i];
        const Root& root = scene_.roots[i];
        const Mat3 R_wb = matrix(root.rotation);
        const Mat3& I = body.inertia_com;
        const Vec3 com = R_wb * body.com;
        const Vec3 p = root.position + com, v = root.velocity + cross(root.omega, com);
        const dQuaternion quaternion = {root.rotation.w, root.rotation.x, root.rotation.y,
                                        root.rotation.z};
        dMass mass;
        dMassSetParameters(&mass, body.mass, 0, 0, 0, I[0], I[4], I[8], I[1], I[2], I[5]);
        dBodyID id = dBodyCreate(world_);
        dBodySetMass(id, &mass);
        dBodySetPosition(id, p[0], p[1], p[2]);
        dBodySetQuaternion(id, quaternion);
        dBodySetLinearVel(id, v[0], v[1], v[2]);
        dBodySetAngularVel(id, root.omega[0], root.omega[1], root.omega[2]);
        bodies_.push_back(id);
    }

    dGeomID make_geom(const Shape& shape) const {
        const Vec3& s = shape.size;
        switch (shape.type) {
        case ShapeType::sphere: return dCreateSphere(space_, s[0]);
        case ShapeType::box: return dCreateBox(space_, s[0], s[1], s[2]);
        case ShapeType::cylinder: return dCreateCylinder(space_, s[0], s[2]);
        case ShapeType::capsule: return dCreateCapsule(space_, s[0], s[2]);
        case ShapeType::plane: break;
        }
        const Mat3& R = shape.pose.R;
        const Vec3 n = {R[2], R[5], R[8]};
        return dCreatePlane(space_, n[0], n[1], n[2], dot(n, shape.pose.p));
    }

    void add_shape(const Shape& shape) {
        dGeomID geom = make_geom(shape);
        dGeomSetCategoryBits(geom, shape.group);
        dGeomSetCollideBits(geom, shape.mask);
        if (shape.type == ShapeType::plane) return;
        const Quat a = quaternion(shape.pose.R);
        const dQuaternion turn = {a.w, a.x, a.y, a.z};
        if (shape.body < 0) {
            dGeomSetPosition(geom, shape.pose.p[0], shape.pose.p[1], shape.pose.p[2]);
            dGeomSetQuaternion(geom, turn);
            return;
        }
        const size_t i = static_cast<size_t>(shape.body);
        const Vec3 p = shape.pose.p - scene_.model.bodies[i].com;
        dGeomSetBody(geom, bodies_[i]);
        dGeomSetOffsetPosition(geom, p[0], p[1], p[2]);
        dGeomSetOffsetQuaternion(geom, turn);
    }

    void touch(dGeomID a, dGeomID b) {
        // Its own test wants either group in the other's mask; ours, both.
        if ((dGeomGetCategoryBits(a) & dGeomGetCollideBits(b)) == 0 ||
            (dGeomGetCategoryBits(b) & dGeomGetCollideBits(a)) == 0 ||
            dGeomGetBody(a) == dGeomGetBody(b)) {
            return;
        }
        dContact contact[contacts_of_pair] = {};
        const int count = dCollide(a, b, contacts_of_pair, &contact[0].geom, sizeof contact[0]);
        for (int i = 0; i < count; i++) {
            dSurfaceParameters& surface = contact[i].surface;
            surface.mode = dContactApprox1;
            surface.mu = scene_.mu;
            if (scene_.restitution > 0) {
                surface.mode |= dContactBounce;
                surface.bounce = scene_.restitution;
                surface.bounce_vel = bounce_least;
            }
            dJointAttach(dJointCreateContact(world_, contacts_, &contact[i]), dGeomGetBody(a),
                         dGeomGetBody(b));
            depth_ = std::max(depth_, contact[i].geom.depth);
            count_ += 1;
        }
    }

    Root root(size_t i) const {
        const dReal *p = dBodyGetPosition(bodies_[i]), *a = dBodyGetQuaternion(bodies_[i]);
        const dReal *v = dBodyGetLinearVel(bodies_[i]), *w = dBodyGetAngularVel(bodies_[i]);
        Root root = {
            {p[0], p[1], p[2]}, {a[1], a[2], a[3], a[0]}, {v[0], v[1], v[2]}, {w[0], w[1], w[2]}};
        const Vec3 com = matrix(root.rotation) * scene_.model.bodies[i].com;
        root.position = root.position - com;
        root.velocity = root.velocity - cross(root.omega, com);
        return root;
    }

    Scene scene_;
    dWorldID world_;
    dSpaceID space_;
    dJointGroupID contacts_;
    std::vector<dBodyID> bodies_; // of each of ours
    unsigned count_ = 0;
    double depth_ = 0;
};

} // namespace

int main() {
    dInitODE2(0);
    return serve_steps("ode", dODE_VERSION, {"20", "50"},
                       [](const Scene& scene, const std::string& variant) {
                           return std::make_unique<Ode>(scene, variant);
                       });
}
