# Verifies cases with antara-tx from Python's standard library, and prints what may be broadcast.
#
#   python3 examples/clients/verify.py cases.ndjson npx antara-tx verify --lines > hex.txt

import json
import subprocess
import sys

cases = [line for line in open(sys.argv[1], encoding="utf-8") if line.strip()]
run = subprocess.run(sys.argv[2:], input="".join(cases).encode(), stdout=subprocess.PIPE)
# 0: all agree, 1: a transaction has findings, 2: a line is malformed. Anything else is no verdict.
if run.returncode not in (0, 1, 2):
    sys.exit(f"antara-tx failed with status {run.returncode}")
# bytes.split, because str.splitlines also splits inside a line.
answers = [json.loads(line) for line in run.stdout.split(b"\n") if line]
if len(answers) != len(cases):
    sys.exit(f"{len(answers)} answers to {len(cases)} cases")
held = 0
for number, answer in enumerate(answers, 1):
    # A malformed line has an error in place of a report. The last decision is left to a person.
    if answer.get("broadcast") == "yes":
        # The hex of the answer is what was verified. Never send that of a line with this number.
        print(answer["verified"]["hex"])
        continue
    held += 1
    codes = [finding["code"] for finding in answer.get("findings", [])]
    codes = codes or [answer.get("error", {}).get("code")]
    print(f"case {number} is held: {', '.join(map(str, codes))}", file=sys.stderr)
sys.exit(1 if held else 0)
