"""A web server that simulates faults, which the path of a request selects.

Prints its ports as `name=port` on one line, and serves until standard input is closed. Needs only
the standard library. The optional argument is a folder with server.pem and server.key for the TLS
ports.
"""

import functools
import gzip
import os
import socket
import ssl
import struct
import sys
import threading
import time
import zlib

CRLF = b"\r\n"
# The header of every complete response after which the server closes the connection. Without it, a
# client can send its next request while the connection closes, which fails a test by chance.
LAST = b"Connection: close"
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 16
lock = threading.Lock()
counts = {}
released = {}


def count(key):
    with lock:
        counts[key] = counts.get(key, 0) + 1
        return counts[key]


def release(name):
    with lock:
        return released.setdefault(name, threading.Event())


def head(status, *lines):
    return CRLF.join([b"HTTP/1.1 " + status, *lines, b"", b""])


def ok(body=PICTURE, *lines):
    return head(b"200 OK", b"Content-Length: %d" % len(body), *lines) + body


def reset(peer):
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.close()


def read_request(peer):
    data = b""
    while b"\r\n\r\n" not in data:
        part = peer.recv(65536)
        if not part:
            return None
        data += part
    lines = data.split(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    fields = {}
    for line in lines[1:]:
        name, _, value = line.partition(":")
        fields[name.lower()] = value.strip()
    return lines[0].split(" ")[1], fields


class Done(Exception):
    """The server closes the connection."""


def silent(peer, *_):
    peer.settimeout(3600)
    try:
        while peer.recv(65536):
            pass
    except OSError:
        pass
    raise Done


def drip(peer, data, seconds=0.05):
    for byte in data:
        peer.sendall(bytes([byte]))
        time.sleep(seconds)


def endless(peer, block):
    while True:
        peer.sendall(block)


def zeros(megabytes):
    """Returns a gzip stream of megabytes of zeros, with about one kilobyte for each."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = compressor.compress(bytes(1 << 20)) + compressor.flush(zlib.Z_FULL_FLUSH)
    start = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
    return start + block * megabytes


def bomb(layers):
    data = zeros(1024)
    for _ in range(layers - 1):
        data = gzip.compress(data)
    return data


def answer(peer, path, fields, key):
    """Sends the response that the path selects. `key` is the name of the port."""
    name, *args = path.partition("?")[0].strip("/").split("/")
    if name == "ok":
        peer.sendall(ok())
    elif name == "echo":
        lines = "\n".join(f"{k}: {v}" for k, v in sorted(fields.items()))
        peer.sendall(ok(lines.encode()))
    elif name == "count":
        peer.sendall(ok(b"%d" % counts.get("/" + "/".join(args), 0)))
    elif name == "slow":
        time.sleep(float(args[0]))
        peer.sendall(ok())
    elif name == "held":
        # Waits for a request for released/<name>.
        release(args[0]).wait(600)
        peer.sendall(ok())
    elif name == "released":
        release(args[0]).set()
        peer.sendall(ok())
    elif name == "changing":
        peer.sendall(ok(b"answer %d" % count(path + "#")))
    elif name == "silent":
        silent(peer)
    elif name == "close":
        raise Done
    elif name == "reset":
        reset(peer)
        raise Done
    elif name == "reset-body":
        peer.sendall(head(b"200 OK", b"Content-Length: 100000") + PICTURE)
        time.sleep(0.05)
        reset(peer)
        raise Done
    elif name == "fail-then-ok":
        # fail-then-ok/<fault>/<times>/<name>
        if count(path + "#") <= int(args[1]):
            if args[0].isdigit():
                body = b"no"
                peer.sendall(head(args[0].encode() + b" No", b"Content-Length: 2") + body)
            else:
                answer(peer, "/" + args[0], fields, key)
        else:
            peer.sendall(ok())
    elif name == "status":
        # status/<code>[/<header>...]: the body is an image
        lines = [a.replace("_", " ").encode() for a in args[1:]]
        peer.sendall(
            head(args[0].encode() + b" Said", b"Content-Length: %d" % len(PICTURE), *lines) + PICTURE)
    elif name == "bare-status":
        peer.sendall(head(args[0].encode() + b" Said", *[a.replace("_", " ").encode() for a in args[1:]]))
        if args[0] not in ("204", "304"):
            raise Done
    elif name == "endless-error":
        peer.sendall(head(b"404 Not Found"))
        endless(peer, bytes(65536))
    elif name == "retry-after":
        # retry-after/<code>/<value>/<times>
        if count(path + "#") <= int(args[2]):
            value = args[1].replace("_", " ").encode()
            peer.sendall(head(args[0].encode() + b" Wait", b"Retry-After: " + value, b"Content-Length: 0"))
        else:
            peer.sendall(ok())
    elif name == "slow-head":
        drip(peer, ok())
    elif name == "slow-body":
        peer.sendall(head(b"200 OK", b"Content-Length: 100000"))
        drip(peer, bytes(100000))
    elif name == "steady-body":
        # steady-body/<seconds>: a hundred pieces over this time
        peer.sendall(head(b"200 OK", b"Content-Length: 102400"))
        for _ in range(100):
            peer.sendall(bytes(1024))
            time.sleep(float(args[0]) / 100)
    elif name == "stall-body":
        peer.sendall(head(b"200 OK", b"Content-Length: 100000") + bytes(50000))
        silent(peer)
    elif name == "endless":
        peer.sendall(head(b"200 OK", b"Connection: close"))
        endless(peer, bytes(65536))
    elif name == "endless-chunks":
        peer.sendall(head(b"200 OK", b"Transfer-Encoding: chunked"))
        endless(peer, b"10000\r\n" + bytes(65536) + CRLF)
    elif name == "bomb":
        data = bomb(int(args[1]))
        encoding = ", ".join([args[0]] * int(args[1])).encode()
        peer.sendall(ok(data, b"Content-Encoding: " + encoding))
    elif name == "layers":
        data = PICTURE
        lines = [b"Content-Encoding: gzip"] * int(args[0])
        for _ in range(min(int(args[0]), 5)):
            data = gzip.compress(data)
        peer.sendall(ok(data, *lines))
    elif name == "encoded":
        data = gzip.compress(PICTURE) if args[0] == "gzip" else zlib.compress(PICTURE)
        peer.sendall(ok(data, b"Content-Encoding: " + args[0].encode()))
    elif name == "empty-deflate":
        # Sends empty deflate blocks without end.
        peer.sendall(head(b"200 OK", b"Content-Encoding: deflate"))
        peer.sendall(b"\x78\x9c")
        endless(peer, b"\x00\x00\x00\xff\xff" * 8192)
    elif name == "bad-gzip":
        peer.sendall(ok(b"this is not gzip at all", b"Content-Encoding: gzip"))
    elif name == "length":
        # length/<declared>[/<declared>]: declared lengths that differ from the length of the image
        lengths = [b"Content-Length: " + a.encode() for a in args]
        peer.sendall(head(b"200 OK", *lengths, LAST) + PICTURE)
        raise Done
    elif name == "length-and-chunked":
        body = b"%x\r\n" % len(PICTURE) + PICTURE + b"\r\n0\r\n\r\n"
        peer.sendall(head(b"200 OK", b"Content-Length: 5", b"Transfer-Encoding: chunked") + body)
    elif name == "large":
        peer.sendall(head(b"200 OK", b"Content-Length: " + args[0].encode()))
        for _ in range(10):
            peer.sendall(bytes(int(args[0]) // 10))
            time.sleep(0.01)
    elif name == "large-stall":
        peer.sendall(head(b"200 OK", b"Content-Length: 10000000") + bytes(int(args[0])))
        silent(peer)
    elif name == "empty":
        peer.sendall(ok(b""))
    elif name == "chunks":
        start = head(b"200 OK", b"Transfer-Encoding: chunked")
        chunk = b"%x\r\n" % len(PICTURE) + PICTURE + CRLF
        if args[0] == "good":
            peer.sendall(start + chunk + b"0\r\n\r\n")
            return
        if args[0] == "trailers":
            peer.sendall(start + chunk + b"0\r\n")
            try:
                endless(peer, b"X-Trailer: " + b"y" * 1000 + CRLF)
            except OSError:
                raise Done
        bad = {
            "size": b"zz\r\n" + PICTURE, "cut": chunk[:-200], "missing": chunk,
            "huge": b"ffffffffffffffffff\r\n" + PICTURE,
        }
        peer.sendall(start + bad[args[0]])
        raise Done
    elif name == "raw":
        raws = {
            "http09": b"<html>no head at all</html>\n" * 10,
            "status9999": head(b"9999 Much", b"Content-Length: 0"),
            "status099": head(b"099 Little", b"Content-Length: 0"),
            "long-header": head(b"200 OK", b"X-Long: " + b"x" * 1600000, b"Content-Length: 0"),
            "many-headers": head(b"200 OK", *[b"X-H%d: " % i + b"y" * 900 for i in range(2000)]),
            "continues": b"HTTP/1.1 100 Continue\r\n\r\n" * 10000 + ok(PICTURE, LAST),
            "some-continues": b"HTTP/1.1 100 Continue\r\n\r\n" * 3 + ok(PICTURE, LAST),
            "lf": ok().replace(CRLF, b"\n", 3),
            "folded": head(b"200 OK", b"X-Fold: a", b" b", b"Content-Length: 0"),
            "switch": head(b"101 Switching Protocols", b"Upgrade: h2c", b"Connection: Upgrade"),
            "nothing": b"\x00" * 100,
        }
        peer.sendall(raws[args[0]])
        raise Done
    elif name == "redirect":
        # redirect/<code>/<target, with ~ for /, and ^ for a space>
        target = "/".join(args[1:]).replace("~", "/").replace("^", " ").encode()
        peer.sendall(head(args[0].encode() + b" Go", b"Location: " + target, b"Content-Length: 0"))
    elif name == "redirect-kept":
        # redirect-kept/<Cache-Control>/<code>/<target, with ~ for / and ! for ~>
        target = "/".join(args[2:]).replace("~", "/").replace("!", "~").encode()
        peer.sendall(
            head(
                args[1].encode() + b" Go", b"Location: " + target,
                b"Cache-Control: " + args[0].encode(), b"Content-Length: 0"))
    elif name == "redirect-body":
        peer.sendall(
            head(args[0].encode() + b" Go", b"Location: /ok", b"Content-Length: %d" % len(PICTURE))
            + PICTURE)
    elif name == "loop":
        peer.sendall(head(b"302 Go", b"Location: /loop", b"Content-Length: 0"))
    elif name == "hops":
        left = int(args[0])
        target = b"/hops/%d" % (left - 1) if left else b"/ok"
        peer.sendall(head(b"302 Go", b"Location: " + target, b"Content-Length: 0"))
    elif name == "close-after":
        # The response promises to keep the connection open, but the server closes it.
        peer.sendall(ok())
        raise Done
    elif name == "etag":
        # etag/<name>/<Cache-Control>: sends 304 if the request has the right tag
        control = args[1].replace("_", " ").encode() if len(args) > 1 else b"no-cache"
        fixed = [b'ETag: "v1"', b"Cache-Control: " + control]
        if fields.get("if-none-match") == '"v1"':
            count(path + "#304")
            peer.sendall(head(b"304 Not Modified", *fixed))
        else:
            peer.sendall(ok(PICTURE, *fixed))
    else:
        peer.sendall(head(b"404 Not Found", b"Content-Length: 0"))


def serve(peer, key):
    with peer:
        # Longer than any test, so that no connection closes while its next request arrives.
        peer.settimeout(3600)
        try:
            while True:
                request = read_request(peer)
                if request is None:
                    return
                count(request[0])
                answer(peer, request[0], request[1], key)
        except (Done, OSError, ValueError, IndexError):
            pass


def listen():
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind(("127.0.0.1", 0))
    server.listen(512)
    return server


def accept(server, key, wrap=None):
    while True:
        peer, _ = server.accept()

        def begin(peer=peer):
            try:
                serve(wrap(peer) if wrap else peer, key)
            except OSError:
                peer.close()

        threading.Thread(target=begin, daemon=True).start()


def raw_accept(server, action):
    while True:
        peer, _ = server.accept()
        threading.Thread(target=action, args=(peer,), daemon=True).start()


def stalled_handshake(peer):
    try:
        silent(peer)
    except Done:
        peer.close()


def reset_handshake(peer):
    peer.recv(4096)
    reset(peer)


# ---- HTTP/2 faults after a valid handshake


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def read_exactly(peer, size):
    data = b""
    while len(data) < size:
        part = peer.recv(size - len(data))
        if not part:
            raise Done
        data += part
    return data


def h2(peer, fault):
    read_exactly(peer, 24)
    # The client's small requests fit even into a window of one byte.
    peer.sendall(frame(4, 0, 0, struct.pack(">HI", 4, 1) if fault == "window" else b""))
    while True:
        size, kind, flags, stream = unpack_head(read_exactly(peer, 9))
        read_exactly(peer, size)
        if kind == 4 and not flags & 1:
            peer.sendall(frame(4, 1, 0))
        if kind != 1:
            continue
        status = b"\x88"  # :status 200, from the static table
        if fault == "goaway":
            peer.sendall(frame(7, 0, 0, struct.pack(">II", 0, 0)))
            return
        if fault == "rst":
            peer.sendall(frame(3, 0, stream, struct.pack(">I", 2)))
        elif fault == "rst-body":
            peer.sendall(frame(1, 4, stream, status) + frame(0, 0, stream, PICTURE))
            peer.sendall(frame(3, 0, stream, struct.pack(">I", 2)))
        elif fault in ("short", "short-late", "long"):
            # A literal content-length that is longer or shorter than the body.
            size = b"%d" % (len(PICTURE) + 1000 if fault.startswith("short") else 100)
            length = b"\x0f\x0d" + bytes([len(size)]) + size
            first = frame(1, 4, stream, status + length)
            rest = frame(0, 1, stream, PICTURE)
            if fault == "short-late":
                peer.sendall(first)
                time.sleep(0.2)
                peer.sendall(rest)
            else:
                peer.sendall(first + rest)
        elif fault == "bad-head":
            # A field name in upper case, which HTTP/2 forbids.
            peer.sendall(frame(1, 5, stream, status + b"\x00\x03X-A\x01b"))
        elif fault == "no-status":
            peer.sendall(frame(1, 5, stream, b"\x00\x03x-a\x01b"))
        elif fault == "bad-frame":
            # DATA on stream 0 is a connection error.
            peer.sendall(frame(0, 0, 0, b"z"))
        elif fault == "bad-code":
            # An index that is in neither HPACK table.
            peer.sendall(frame(1, 5, stream, b"\xff\xff\xff\x0f"))
        elif fault == "fin":
            return
        elif fault == "fin-body":
            size = b"%d" % (len(PICTURE) + 1000)
            length = b"\x0f\x0d" + bytes([len(size)]) + size
            peer.sendall(frame(1, 4, stream, status + length) + frame(0, 0, stream, PICTURE))
            # Reads the remaining input first; a close with unread input would reset the connection.
            peer.settimeout(0.2)
            try:
                while peer.recv(4096):
                    pass
            except OSError:
                pass
            return
        elif fault == "goaway-error":
            peer.sendall(frame(7, 0, 0, struct.pack(">II", 0, 1)))
            return
        elif fault == "refused":
            peer.sendall(frame(3, 0, stream, struct.pack(">I", 7)))
        elif fault == "continuation":
            peer.sendall(frame(1, 0, stream, status))
            block = b"\x00\x03x-a\x7f\x81\x07" + b"y" * 262
            while True:
                peer.sendall(frame(9, 0, stream, block * 16))
        elif fault == "window":
            peer.sendall(frame(1, 4, stream, status))
            while True:
                peer.sendall(frame(0, 0, stream, b"z"))
                time.sleep(0.05)
        else:
            peer.sendall(frame(1, 4, stream, status) + frame(0, 1, stream, PICTURE))


H2_FAULTS = (
    "goaway", "goaway-error", "rst", "rst-body", "refused", "continuation", "window", "good", "short",
    "short-late", "long", "bad-head", "no-status", "bad-frame", "bad-code", "fin", "fin-body",
)


def unpack_head(data):
    size = int.from_bytes(data[:3], "big")
    return size, data[3], data[4], int.from_bytes(data[5:9], "big") & 0x7FFFFFFF


def serve_h2(context, fault):
    def action(peer):
        try:
            with context.wrap_socket(peer, server_side=True) as secure:
                secure.settimeout(20)
                h2(secure, fault)
        except (Done, OSError):
            peer.close()

    return action


def start(target, *args):
    threading.Thread(target=target, args=args, daemon=True).start()


def main():
    ports = {}
    for name in ("plain", "second"):
        server = listen()
        ports[name] = server.getsockname()[1]
        start(accept, server, name)
    for name, action in (("tls-stall", stalled_handshake), ("tls-reset", reset_handshake)):
        server = listen()
        ports[name] = server.getsockname()[1]
        start(raw_accept, server, action)
    if len(sys.argv) > 1:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1] + "/server.pem", sys.argv[1] + "/server.key")
        server = listen()
        ports["tls"] = server.getsockname()[1]
        start(accept, server, "tls", functools.partial(context.wrap_socket, server_side=True))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1] + "/server.pem", sys.argv[1] + "/server.key")
        context.set_alpn_protocols(["h2"])
        for fault in H2_FAULTS:
            server = listen()
            ports["h2-" + fault] = server.getsockname()[1]
            start(raw_accept, server, serve_h2(context, fault))
    print(" ".join(f"{name}={port}" for name, port in ports.items()), flush=True)
    while os.read(0, 4096):
        pass


main()
