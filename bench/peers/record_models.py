"""Records states of Gymnasium's models for `bench/run models`: bench/peers/record_models.py MODELS_FOLDER OUTPUT.

MuJoCo simulates every model with semi-implicit Euler at 1/240 s and the other settings of its file, in episodes of 10 s
from its first pose with some noise, under random controls: uniform in their ranges, changed 25 times per second. About 200
steps are kept, with equal numbers for each number of contacts (0, 1, 2, 3, 4, 5 and more) as far as possible, spread over
the time.

A sample is a step k: the states at k - 1 and k, each with its controls, and the accelerations that warm-start MuJoCo's
solver at k. `contacts` is the number of contacts in MuJoCo's solver at k: those within the margins of the shapes;
`penetrating` is the number of those with negative distance. Numbers have ten digits, more than two engines agree to.
"""

import json
import sys
from pathlib import Path

import mujoco
import numpy as np

MODELS = ["ant", "humanoid", "half_cheetah", "hopper", "walker2d"]
STEP = 1 / 240
CONTROL_RATE = 25
EPISODES = 24
EPISODE_STEPS = 2400
# Number of steps before the first recorded one, to skip the fall from the first pose.
SETTLING = 24
SAMPLES = 200
BINS = 6
SEED = 2
NOISE = 0.02


class Controls:
    """Returns controls that are uniform in the range of every actuator, each held for 1/25 s."""

    def __init__(self, model, random):
        assert model.actuator_ctrllimited.all(), "an actuator has no range"
        self.low, self.high = model.actuator_ctrlrange.T
        self.random = random
        self.period = -1

    def at(self, time):
        period = int(time * CONTROL_RATE + 1e-9)
        if period != self.period:
            self.period = period
            # Four digits, so that the numbers are exact in the file.
            self.value = np.round(self.random.uniform(self.low, self.high), 4)
        return self.value


def load(path):
    model = mujoco.MjModel.from_xml_path(str(path))
    model.opt.timestep = STEP
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
    return model


def start(model, data, random):
    """Sets the first pose with a small perturbation."""
    mujoco.mj_resetData(model, data)
    mujoco.mj_integratePos(model, data.qpos, random.uniform(-NOISE, NOISE, model.nv), 1.0)
    data.qvel[:] = random.uniform(-NOISE, NOISE, model.nv)


def moments(model, random):
    """Returns all steps of all episodes with their numbers of contacts."""
    data = mujoco.MjData(model)
    for episode in range(EPISODES):
        start(model, data, random)
        controls = Controls(model, random)
        before = None
        for step in range(EPISODE_STEPS):
            data.ctrl[:] = controls.at(step * STEP)
            now = {"qpos": data.qpos.copy(), "qvel": data.qvel.copy(), "ctrl": data.ctrl.copy()}
            warm_start = data.qacc_warmstart.copy()
            mujoco.mj_step(model, data)
            if step >= SETTLING:
                # The contacts in the data are still those of the state at the start of the step.
                active = sum(int(contact.exclude == 0) for contact in data.contact)
                penetrating = sum(int(contact.dist < 0) for contact in data.contact)
                yield {
                    "episode": episode,
                    "step": step,
                    "contacts": active,
                    "penetrating": penetrating,
                    "before": before,
                    "now": now,
                    "warm_start": warm_start,
                }
            before = now


def chosen(candidates, random):
    """Selects about SAMPLES steps, the same number from each bin; unused shares of small bins go to the others."""
    bins = [[] for _ in range(BINS)]
    for candidate in candidates:
        bins[min(candidate["contacts"], BINS - 1)].append(candidate)
    left, samples = SAMPLES, []
    for place, kept in enumerate(sorted(bins, key=len)):
        share = min(left // (BINS - place), len(kept))
        picked = np.sort(random.choice(len(kept), share, replace=False)) if share else []
        samples += [kept[index] for index in picked]
        left -= share
    return sorted(samples, key=lambda sample: (sample["contacts"], sample["episode"], sample["step"]))


def plain(value):
    """Rounds numbers to ten digits."""
    if isinstance(value, dict):
        return {name: plain(inner) for name, inner in value.items()}
    if isinstance(value, np.ndarray):
        return [int(number) if number == int(number) else float(f"{number:.10g}") for number in value]
    return value


def main(folder, output):
    # MuJoCo would write its warnings to a file in this folder.
    mujoco.set_mju_user_warning(lambda _: None)
    lines = []
    for number, name in enumerate(MODELS):
        model = load(Path(folder) / f"{name}.xml")
        random = np.random.default_rng([SEED, number])
        candidates = list(moments(model, random))
        samples = chosen(candidates, random)
        lines.append(json.dumps({"model": name, "samples": len(samples)}))
        lines += [json.dumps(plain(sample), separators=(",", ":")) for sample in samples]
        by_contacts = np.bincount([min(sample["contacts"], BINS - 1) for sample in samples], minlength=BINS)
        of_all = np.bincount([min(candidate["contacts"], BINS - 1) for candidate in candidates], minlength=BINS)
        print(f"{name}: kept {by_contacts.tolist()} of {of_all.tolist()} steps with 0 to 5+ contacts", file=sys.stderr)
    Path(output).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
