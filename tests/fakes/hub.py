"""A model hub on this machine: the few requests that a download makes, with byte ranges.

It can break off in the middle of a file, send other bytes than it lists, and be slow; it
remembers what was asked of it.
"""

import hashlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COMMIT = "c0ffee" + "0" * 34


class FakeHub:
    """Serves `files` as the repository `repository`; a context manager.

    break_after: bytes after which a connection is dropped, once. altered: names of files
    that are sent with other bytes than are listed. chunk_pause: seconds between 64 kB.
    status: answer everything with this error. redirect: send to another address for the
    files, as a real hub does. ignore_ranges: always send whole files.
    """

    def __init__(self, repository, files):
        self.repository, self.files = repository, dict(files)
        self.break_after, self.altered, self.chunk_pause, self.status = None, set(), 0.0, None
        self.ignore_ranges, self.redirect = False, False
        self.requests, self.sent_bytes, self.ranges = [], 0, []
        hub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                hub._answer(self)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = False
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    @property
    def url(self):
        return f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self.chunk_pause = 0.0
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _answer(self, request):
        self.requests.append(request.path)
        if self.status is not None:
            return self._send(request, self.status, b"")
        if request.path.startswith(f"/api/models/{self.repository}"):
            return self._send(request, 200, json.dumps(self._listing()).encode())
        prefix = f"/{self.repository}/resolve/{COMMIT}/"
        if self.redirect and request.path.startswith(prefix):
            return self._redirect(request, "/cdn" + request.path)
        prefix = "/cdn" + prefix if request.path.startswith("/cdn") else prefix
        name = request.path.removeprefix(prefix)
        if not request.path.startswith(prefix) or name not in self.files:
            return self._send(request, 404, b"")
        return self._send_file(request, name)

    def _redirect(self, request, place):
        request.send_response(302)
        request.send_header("Location", self.url + place)
        request.send_header("Content-Length", "0")
        request.end_headers()

    def _listing(self):
        siblings = []
        for name, data in self.files.items():
            entry = {"rfilename": name, "size": len(data)}
            entry["blobId"] = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
            if name.endswith(".safetensors"):
                digest = hashlib.sha256(data).hexdigest()
                entry["lfs"] = {"sha256": digest, "size": len(data), "pointerSize": 134}
            siblings.append(entry)
        return {"id": self.repository, "sha": COMMIT, "siblings": siblings}

    def _send_file(self, request, name):
        data = self.files[name]
        if name in self.altered:
            data = data[:-1] + bytes([data[-1] ^ 1])
        start, status = 0, 200
        if (wanted := request.headers.get("Range")) and not self.ignore_ranges:
            start, status = int(wanted.removeprefix("bytes=").split("-")[0]), 206
            self.ranges.append((name, start))
        body = data[start:]
        request.send_response(status)
        request.send_header("Content-Length", str(len(body)))
        if status == 206:
            request.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        request.end_headers()
        for place in range(0, len(body), 1 << 16):
            if self.break_after is not None and self.sent_bytes >= self.break_after:
                self.break_after, self.status = None, 503
                request.close_connection = True
                return
            try:
                request.wfile.write(body[place : place + (1 << 16)])
            except OSError:
                request.close_connection = True
                return
            self.sent_bytes += min(1 << 16, len(body) - place)
            time.sleep(self.chunk_pause)

    def _send(self, request, status, body):
        request.send_response(status)
        request.send_header("Content-Length", str(len(body)))
        if status == 404:
            request.send_header("X-Error-Code", "RepoNotFound")
        request.end_headers()
        request.wfile.write(body)
