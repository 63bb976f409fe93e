// SPDX-License-Identifier: Apache-2.0
// A camera that looks at a target, z up, and glides to where it is sent.
import { PerspectiveCamera, Ray, Vector3 } from "three";

interface Look {
    target: Vector3;
    azimuth: number;
    elevation: number;
    distance: number;
}

const GLIDE_S = 0.09;
const STEEPEST = (89 * Math.PI) / 180;

export class OrbitCamera {
    readonly camera = new PerspectiveCamera(40, 1, 0.01, 100);
    private readonly now: Look = { target: new Vector3(), azimuth: -0.8, elevation: 0.35, distance: 3 };
    private readonly goal: Look = { target: new Vector3(), azimuth: -0.8, elevation: 0.35, distance: 3 };
    private extent = 1;

    constructor() {
        this.camera.up.set(0, 0, 1);
    }

    /** Looks from `eye` at `target`; what is to be seen is about as large as `extent`; fov in degrees. */
    look(eye: ArrayLike<number>, target: ArrayLike<number>, fov: number, extent: number): void {
        const from = new Vector3(eye[0]! - target[0]!, eye[1]! - target[1]!, eye[2]! - target[2]!);
        this.extent = extent;
        this.goal.target.set(target[0]!, target[1]!, target[2]!);
        this.goal.distance = Math.max(from.length(), 1e-3 * extent);
        this.goal.azimuth = Math.atan2(from.y, from.x);
        this.goal.elevation = Math.asin(from.z / this.goal.distance);
        this.camera.fov = fov;
        this.jump();
    }

    /** Centres what lies around a point, keeping the direction. */
    focus(point: ArrayLike<number>, distance = this.goal.distance): void {
        this.goal.target.set(point[0]!, point[1]!, point[2]!);
        this.goal.distance = distance;
    }

    orbit(dx: number, dy: number): void {
        this.goal.azimuth -= dx * 0.006;
        this.goal.elevation = Math.min(Math.max(this.goal.elevation + dy * 0.006, -STEEPEST), STEEPEST);
    }

    /** By pixels of a picture that is `height` pixels high. */
    pan(dx: number, dy: number, height: number): void {
        const metres = (2 * this.goal.distance * Math.tan((this.camera.fov * Math.PI) / 360)) / height;
        const right = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
        const up = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
        this.goal.target.addScaledVector(right, -dx * metres).addScaledVector(up, dy * metres);
    }

    zoom(factor: number): void {
        const nearest = 1e-2 * this.extent;
        this.goal.distance = Math.min(Math.max(this.goal.distance * factor, nearest), 100 * this.extent);
    }

    /** One glide towards the goal; true while there is some way to go. */
    advance(seconds: number): boolean {
        const part = 1 - Math.exp(-seconds / GLIDE_S);
        const { now, goal } = this;
        const away = now.target.distanceTo(goal.target) / goal.distance + Math.abs(now.azimuth - goal.azimuth)
            + Math.abs(now.elevation - goal.elevation) + Math.abs(Math.log(now.distance / goal.distance));
        if (away === 0) return false;
        if (away < 1e-4) {
            this.jump();
            return true;
        }
        now.target.lerp(goal.target, part);
        now.azimuth += (goal.azimuth - now.azimuth) * part;
        now.elevation += (goal.elevation - now.elevation) * part;
        now.distance *= Math.pow(goal.distance / now.distance, part);
        this.place();
        return true;
    }

    /** `up`: px by which the picture is shifted. */
    resize(width: number, height: number, up: number): void {
        this.camera.aspect = width / height;
        this.camera.setViewOffset(width, height, 0, up, width, height); // updates the projection
    }

    /** The ray under a point of the picture, -1 to 1 each. */
    ray(x: number, y: number): Ray {
        const origin = new Vector3().setFromMatrixPosition(this.camera.matrixWorld);
        return new Ray(origin, new Vector3(x, y, 0.5).unproject(this.camera).sub(origin).normalize());
    }

    /** From the eye to the target. */
    distance(): number {
        return this.now.distance;
    }

    /** Where it is sent. */
    going(): { target: number[]; azimuth: number; elevation: number; distance: number } {
        return { ...this.goal, target: this.goal.target.toArray() };
    }

    forward(): Vector3 {
        return this.camera.getWorldDirection(new Vector3());
    }

    private jump(): void {
        const { now, goal } = this;
        now.target.copy(goal.target);
        now.azimuth = goal.azimuth;
        now.elevation = goal.elevation;
        now.distance = goal.distance;
        this.place();
    }

    private place(): void {
        const { target, azimuth, elevation, distance } = this.now;
        const flat = distance * Math.cos(elevation);
        this.camera.position.set(
            target.x + flat * Math.cos(azimuth), target.y + flat * Math.sin(azimuth), target.z + distance * Math.sin(elevation),
        );
        this.camera.lookAt(target);
        this.camera.near = Math.max(0.02 * distance, 1e-3 * this.extent);
        this.camera.far = distance + 60 * this.extent;
        this.camera.updateProjectionMatrix();
        this.camera.updateMatrixWorld();
    }
}
