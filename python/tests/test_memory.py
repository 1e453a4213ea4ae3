"""Environments that are made and dropped leave nothing behind."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest

import burgess
from burgess.envs import CreatureEnv

STATISTICS = Path("/proc/self/statm")


def resident() -> int:
    """Resident memory of this process, in bytes."""
    pages = int(STATISTICS.read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not STATISTICS.exists(), reason="resident memory is read from /proc")
def test_ten_thousand_environments_leave_nothing() -> None:
    brief = burgess.Task("walk").replace(settle=0.0, duration=0.1, transient=0.05)

    def make(count: int, every: int) -> None:
        for index in range(count):
            env = CreatureEnv(brief, "walker")
            # Most of the memory belongs to a trial in progress.
            if index % every == 0:
                env.reset(seed=index)
                env.step(env.action_space.sample())
            if index % 2 == 0:
                env.close()
        gc.collect()

    # The first ones fill the pools of allocators.
    make(1000, 5)
    before = resident()
    make(10_000, 5)
    grown = resident() - before
    print(f"{grown / 1e6:.1f} MB after 10,000 environments, {before / 1e6:.1f} MB before")
    # An environment with a trial has about a megabyte; a leak of one in a hundred would be 20 MB.
    assert grown < 10e6
