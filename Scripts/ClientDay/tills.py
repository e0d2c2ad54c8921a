"""Tills that sell at one service, each every half minute on a connection of its own.

    Scripts/ClientDay/tills.py PAYCTL TILLS SECONDS [--judge]

Prints the service's resident memory, and the median and the 99th percentile of a sale, of a read, and of the same sale at the
simulated provider without the service.
"""

import asyncio
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import uuid

from day import Program, call

PAUSE = 30.0
TILLS_PER_KEY = 50
GROWTH_MAX = 0.02


async def exchange(reader, writer, method, path, body=None, fields=()):
    """One request on a connection that is open: status and body."""
    data = json.dumps(body).encode() if body is not None else b""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(data)}", *fields]
    if data:
        lines.append("Content-Type: application/json")
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + data)
    await writer.drain()
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower().split("\r\n")
    length = next((int(line.split(":")[1]) for line in head if line.startswith("content-length:")), 0)
    return int(head[0].split(" ")[1]), json.loads(await reader.readexactly(length) or b"null")


async def connected(address):
    host, port = address.removeprefix("http://").split(":")
    return await asyncio.open_connection(host, int(port))


async def sell(number, address, key, end, seen):
    """One till: a sale, a read of it, a pause. A connection that the service closed while it was idle is opened again."""
    await asyncio.sleep(random.random() * min(PAUSE, end - time.monotonic()))
    bearer, count = f"Authorization: Bearer {key}", 0
    while time.monotonic() < end:
        reader, writer = await connected(address)
        attempt, count = str(uuid.uuid4()), count + 1
        body = {"amount": {"value": "1.00", "currency": "EUR"}, "reference": f"order {count} of {number}",
                "source": "token", "token": f"tok_{number}"}
        began = time.monotonic()
        status, said = await exchange(reader, writer, "POST", "/v1/sales", body, (bearer, f"Idempotency-Key: {attempt}"))
        seen["sale"].append(time.monotonic() - began)
        if status != 201:
            seen["wrong"].append((status, said))
        began = time.monotonic()
        status, said = await exchange(reader, writer, "GET", f"/v1/attempts/{attempt}", None, (bearer,))
        seen["read"].append(time.monotonic() - began)
        if said.get("status") != "approved":
            seen["wrong"].append((status, said))
        writer.close()
        await asyncio.sleep(max(0.0, min(PAUSE, end - time.monotonic())))


def resident(number):
    """How many KiB of a process are in memory."""
    for line in pathlib.Path(f"/proc/{number}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


async def watch(number, seconds, seen):
    began = time.monotonic()
    while True:
        seen["memory"].append((time.monotonic() - began, resident(number)))
        if time.monotonic() - began > seconds:
            return
        await asyncio.sleep(seconds / 60)


async def alone(sandbox, seen, count=200):
    """The same sale at the simulated provider, without the service."""
    provider = sandbox.line["providers"]["memory"]
    reader, writer = await connected(provider)
    _, token = await exchange(reader, writer, "POST", "/token", {"secret": "memory-client-secret"})
    field = f"Authorization: Bearer {token['token']}"
    for number in range(count):
        body = {"attempt": f"alone-{number}", "kind": "sale", "amount": {"minorUnits": 100, "currency": "EUR"},
                "source": {"kind": "card", "number": "4111111111111111"}}
        began = time.monotonic()
        await exchange(reader, writer, "POST", "/payments", body, (field,))
        seen["alone"].append(time.monotonic() - began)
    writer.close()


def share(times, part):
    return sorted(times)[int(len(times) * part)] * 1000 if times else 0.0


async def play(program, folder, tills, seconds):
    config = folder / "providers.json"
    sandbox = Program([program, "sandbox", "--provider", "memory", "--write-config", config])
    entries, keys = [], []
    for number in range((tills + TILLS_PER_KEY - 1) // TILLS_PER_KEY):
        made = subprocess.run(
            [program, "key", "new", "--shop", "berlin", "--role", "till", "--name", f"group {number}", "--format", "json"],
            check=True, capture_output=True, text=True)
        made = json.loads(made.stdout)
        entries.append(made["entry"])
        keys.append(made["key"])
    file = folder / "keys.json"
    file.write_text(json.dumps({"keys": entries}))
    file.chmod(0o600)
    subprocess.run([program, "journal", "init", "--config", config], check=True, capture_output=True)
    service = Program([
        program, "serve", "--listen", "127.0.0.1:0", "--format", "json", "--config", config, "--keys", file,
        "--state", folder / "state"])
    seen = {"sale": [], "read": [], "alone": [], "memory": [], "wrong": []}
    try:
        end = time.monotonic() + seconds
        address = service.line["address"]
        await asyncio.gather(
            watch(service.process.pid, seconds, seen),
            *(sell(number, address, keys[number // TILLS_PER_KEY], end, seen) for number in range(tills)))
        ledger = call("GET", f"{sandbox.line['control']}/ledger/memory")
        charged = sum(ledger["balances"]["merchant"].values())
        if charged != 100 * len(seen["sale"]):
            seen["wrong"].append(("ledger", charged))
        await alone(sandbox, seen)
    finally:
        service.stop()
        sandbox.stop()
    return seen


def main():
    program, tills, seconds = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]), float(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        seen = asyncio.run(play(program, pathlib.Path(folder), tills, seconds))
    first = next(size for at, size in seen["memory"] if at >= seconds / 6)
    last = seen["memory"][-1][1]
    growth = (last - first) / first
    print(f"tills {tills}, {seconds:.0f} s, sales {len(seen['sale'])}, answered otherwise {len(seen['wrong'])}")
    print(f"memory {first} KiB after a sixth of the time, {last} KiB at its end: {growth:+.1%}")
    for name in ("sale", "read", "alone"):
        print(f"{name:6} median {share(seen[name], 0.5):.1f} ms, 99 of 100 within {share(seen[name], 0.99):.1f} ms")
    for one in seen["wrong"][:5]:
        print("wrong:", one)
    return 1 if seen["wrong"] or "--judge" in sys.argv and growth > GROWTH_MAX else 0


if __name__ == "__main__":
    sys.exit(main())
