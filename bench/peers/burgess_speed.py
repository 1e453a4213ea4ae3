"""Measures how much simulated time a built-in creature reaches per processor second: PROGRAM CREATURE."""

import json
import resource
import subprocess
import sys

SECONDS = 30
STEP = 0.001

program, creature = sys.argv[1:]
subprocess.run([program, "simulate", creature, "--seconds", str(SECONDS), "--step", str(STEP), "--json"],
               check=True, stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
speed = SECONDS / (used.ru_utime + used.ru_stime)
print(json.dumps({"program": "burgess", "body": creature, "per_core_second": round(speed, 1)}))
