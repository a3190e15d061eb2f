# Calls a development node from Python's standard library: amounts stay exact.
#
#   npx antara-tx node --json | python3 examples/clients/balance.py

import base64
import json
import sys
import urllib.error
import urllib.request
from decimal import Decimal

node = json.loads(sys.stdin.readline())


def call(identity, method, *params):
    login = f"{identity['user']}:{identity['password']}".encode()
    body = json.dumps({"method": method, "params": params, "id": 1}).encode()
    request = urllib.request.Request(
        identity["url"], body, {"Authorization": "Basic " + base64.b64encode(login).decode()}
    )
    try:
        reply = urllib.request.urlopen(request).read()
    except urllib.error.HTTPError as error:
        # The daemon's errors come with a status, and with their code in the body.
        reply = error.read()
    answer = json.loads(reply, parse_float=Decimal)
    if answer["error"] is not None:
        raise RuntimeError(answer["error"]["message"])
    return answer["result"]


alice, bob = node["identities"]
txid = call(alice, "sendtoaddress", bob["address"], 0.5)
print("sent", txid)
received = call(bob, "getreceivedbyaddress", bob["address"])
print("bob received", received)
