// SPDX-License-Identifier: Apache-2.0
// The row of controls below the picture: run, step, reset, pace, record, algorithm, budget of active joints.
import type { Commands } from "../state/commands.ts";
import { h, icon, setText } from "../base/dom.ts";
import { formatNumber, formatTime } from "../base/format.ts";
import { ICONS } from "../base/icons.ts";
import type { Scene, State } from "../wire/protocol.ts";
import type { Store } from "../state/store.ts";
import { Things } from "./things.ts";

/** Simulated seconds a second that can be chosen; others the program may have are added when it says so. */
const PACES: [number, string][] = [[1, "1"], [0.5, "1/2"], [0.25, "1/4"], [0.1, "1/10"], [0.02, "1/50"], [100, "fastest"]];

/** Below this part of the pace that was asked for, people are told. */
const SLOW = 0.85;

export class Toolbar {
    readonly root: HTMLElement;
    readonly things: Things;
    private readonly pause = h("button", { class: "icon-only", onClick: () => this.togglePause() });
    private readonly record = h("button", { class: "icon-only", title: "Record to a file (R)", "aria-label": "Record", onClick: () => this.toggleRecord() }, icon(ICONS.record));
    private readonly time = h("output", { class: "time number", title: "simulated time" });
    private readonly slow = h("output", { class: "slow number", hidden: true, title: "The simulation takes longer than asked for; Meters (I) say where the time goes" });
    private readonly pace = h("select", { "aria-label": "Speed", onChange: () => void this.commands.pace(Number(this.pace.value)) });
    private readonly dynamics = h("select", { "aria-label": "Algorithm of the dynamics", title: "Algorithm of the dynamics", onChange: () => void this.commands.dynamics(this.dynamics.value) });
    private readonly budget = h("input", { type: "range", min: 0, step: 1, "aria-label": "Most active joints", onInput: () => void this.commands.budget(Number(this.budget.value)) });
    private readonly active = h("output", { class: "number" });
    private readonly budgetGroup: HTMLElement;

    constructor(private readonly store: Store, private readonly commands: Commands) {
        this.things = new Things(store, commands);
        this.budgetGroup = h("div", { class: "group budget", title: "Joints that may be active at once; the others sleep (hatched)" }, h("label", {}, h("span", { class: "wide-only" }, "Active joints"), this.budget), this.active);
        this.root = h(
            "div", { class: "toolbar float", role: "toolbar", "aria-label": "Simulation" },
            h("div", { class: "group" },
                h("button", { class: "icon-only", title: "Back to the start (Backspace)", "aria-label": "Reset", onClick: () => void commands.reset() }, icon(ICONS.reset)),
                this.pause,
                h("button", { class: "icon-only", title: "One step (.)", "aria-label": "Step", onClick: () => void commands.step(1) }, icon(ICONS.step)),
                this.record,
                this.things.root,
                this.time,
                this.slow,
            ),
            h("div", { class: "group" }, this.pace),
            h("div", { class: "group" }, this.dynamics),
            this.budgetGroup,
        );
        store.onScene.on((scene) => this.showScene(scene));
        store.onState.on((state) => this.showState(state));
        store.onFrame.on(() => setText(this.time, formatTime(store.time, store.unit.time_symbol)));
        this.showPause(false);
    }

    togglePause(): void {
        void this.commands.pause(!this.store.state?.paused);
    }

    toggleRecord(): void {
        void this.commands.record(!this.store.state?.recording);
    }

    /** The next slower or faster pace. */
    changePace(direction: 1 | -1): void {
        const paces = PACES.map(([value]) => value).sort((a, b) => a - b);
        const now = this.store.state?.pace ?? 1;
        const next = direction > 0 ? paces.find((value) => value > now) : paces.reverse().find((value) => value < now);
        if (next !== undefined) void this.commands.pace(next);
    }

    /** "1/2 ×", or of molecules, whose seconds are picoseconds, "1/2 ps/s". */
    private paceText(value: string): string {
        const unit = this.store.unit.time_symbol;
        return value === "fastest" ? value : `${value} ${unit === "s" ? "×" : `${unit}/s`}`;
    }

    private showScene(scene: Scene): void {
        const unit = scene.unit.time_symbol;
        this.pace.replaceChildren(...PACES.map(([value, text]) => h("option", { value }, this.paceText(text))));
        this.pace.title = `Speed: ${unit === "s" ? "simulated seconds" : unit} a second ([ and ])`;
        this.dynamics.replaceChildren(...scene.dynamics_choices.map((name) => h("option", { value: name }, name)));
        this.dynamics.value = scene.dynamics;
        this.dynamics.disabled = this.pace.disabled = scene.replay !== null;
        this.record.hidden = scene.replay !== null;
    }

    private showState(state: State): void {
        if (state.pace === 0) return; // between two scenes
        this.showPause(state.paused);
        this.record.setAttribute("aria-pressed", String(state.recording !== ""));
        this.record.classList.toggle("recording", state.recording !== "");
        this.record.title = state.recording ? `Recording to ${state.recording}; click to end (R)` : "Record to a file (R)";
        if (!PACES.some(([value]) => value === state.pace) && ![...this.pace.options].some((option) => Number(option.value) === state.pace))
            this.pace.append(h("option", { value: state.pace }, this.paceText(String(state.pace))));
        this.pace.value = String(state.pace);
        const factor = state.real_time_factor; // 0: not known yet
        this.slow.hidden = state.paused || factor === 0 || this.store.time < 1 || factor > SLOW * Math.min(state.pace, 1);
        setText(this.slow, `slow: ${this.paceText(formatNumber(factor, 2))}`);
        this.dynamics.value = state.dynamics;
        const adaptive = state.dynamics === "adaptive";
        this.budgetGroup.hidden = !adaptive;
        this.budget.max = String(state.joints);
        if (document.activeElement !== this.budget) this.budget.value = String(state.max_active < 0 ? state.joints : Math.min(state.max_active, state.joints));
        setText(this.active, `${state.active} of ${state.joints}`);
    }

    private showPause(paused: boolean): void {
        const label = paused ? "Run" : "Pause";
        if (this.pause.getAttribute("aria-label") === label) return;
        this.pause.setAttribute("aria-label", label);
        this.pause.title = `${label} (Space)`;
        this.pause.replaceChildren(icon(paused ? ICONS.play : ICONS.pause));
    }
}
