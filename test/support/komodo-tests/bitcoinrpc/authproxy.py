"""Calls a daemon for komodo's own tests, by the interface of python-bitcoinrpc.

The tests wait for blocks. Here a block is mined instead, so that they end in seconds.
"""

import base64
import json
import os
import time
import urllib.error
import urllib.request
from urllib.parse import urlsplit


class JSONRPCException(Exception):
    """An error that the daemon answered."""


class AuthServiceProxy:
    def __init__(self, url, timeout=30, method=None):
        self._url = url
        self._timeout = timeout
        self._method = method

    def __getattr__(self, name):
        if name.startswith('_'):
            raise AttributeError(name)
        return AuthServiceProxy(self._url, self._timeout, name)

    def __call__(self, *params):
        server = urlsplit(self._url)
        credentials = f'{server.username}:{server.password}'.encode()
        call = {'jsonrpc': '1.0', 'id': 1, 'method': self._method, 'params': params}
        request = urllib.request.Request(
            f'http://{server.hostname}:{server.port}/',
            json.dumps(call, default=float).encode(),
            {'authorization': f'Basic {base64.b64encode(credentials).decode()}'},
        )
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as response:
                answer = json.load(response)
        except urllib.error.HTTPError as response:
            answer = json.load(response)
        if answer['error'] is not None:
            raise JSONRPCException(answer['error'])
        return answer['result']


def mine_a_block(_seconds):
    try:
        AuthServiceProxy(os.environ['ANTARA_MINER']).generate(1)
    except urllib.error.URLError:
        pass  # The last test has stopped the daemon.


time.sleep = mine_a_block
