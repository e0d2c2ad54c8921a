#!/usr/bin/env python3
"""Encodes secrets in forty forms with Python's standard library, a fifth of them in two forms within each other.

python3 plant.py > planted.tsv   writes the secret, the name of the form, and the text that holds it, as JSON strings.
"""
import base64
import html
import json
import random
import urllib.parse

RANDOM = random.Random(20261127)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def b64(text):
    return base64.b64encode(text.encode()).decode()


def b64url(text):
    return base64.urlsafe_b64encode(text.encode()).decode()


def every(text):
    return "".join("%%%02X" % byte for byte in text.encode())


FORMS = {
    "plain": lambda s: s,
    "quoted": lambda s: '"%s"' % s,
    "sentence": lambda s: "it was %s, they say" % s,
    "path": lambda s: "/v1/cards/%s/x" % urllib.parse.quote(s, safe=""),
    "query": lambda s: "a=1&" + urllib.parse.urlencode({"q": s}),
    "query-twice": lambda s: "u=" + urllib.parse.quote(urllib.parse.urlencode({"q": s}), safe=""),
    "url": lambda s: "https://user:%s@example.com/" % urllib.parse.quote(s, safe=""),
    "percent": lambda s: urllib.parse.quote(s, safe=""),
    "percent-lower": lambda s: every(s).lower(),
    "percent-all": every,
    "percent-plus": lambda s: urllib.parse.quote_plus(s),
    "percent-twice": lambda s: urllib.parse.quote(every(s)),
    "base64": b64,
    "base64-unpadded": lambda s: b64(s).rstrip("="),
    "base64-lines": lambda s: base64.encodebytes(s.encode()).decode(),
    "base64-twice": lambda s: b64(b64(s)),
    "base64-basic": lambda s: "Basic " + b64("user:" + s),
    "base64-first": lambda s: b64(s + ":x"),
    "base64-shift1": lambda s: b64("u" + s),
    "base64-shift2": lambda s: b64("us" + s),
    "base64-json": lambda s: b64(json.dumps({"note": s})),
    "base64-array": lambda s: b64(json.dumps(["x", s])),
    "base64-in-text": lambda s: "blob=%s;" % b64(s),
    "base64url": b64url,
    "base64url-unpadded": lambda s: b64url(s).rstrip("="),
    "base64url-jwt": lambda s: "eyJhbGciOiJIUzI1NiJ9.%s.c2lnbmF0dXJl" % b64url(json.dumps({"sub": s})).rstrip("="),
    "base64url-in-url": lambda s: "https://example.com/?d=" + b64url(s).rstrip("="),
    "hex": lambda s: s.encode().hex(),
    "hex-upper": lambda s: s.encode().hex().upper(),
    "hex-colons": lambda s: s.encode().hex(":"),
    "hex-blanks": lambda s: s.encode().hex(" "),
    "hex-hyphens": lambda s: s.encode().hex("-"),
    "hex-in-text": lambda s: "0x%s." % s.encode().hex(),
    "json": lambda s: json.dumps({"note": s}),
    "json-name": lambda s: json.dumps({s: 1}),
    "json-escaped": lambda s: json.dumps({"a": json.dumps({"b": s})}),
    "json-unicode": lambda s: '{"note":"%s"}' % "".join("\\u%04x" % ord(c) for c in s),
    "json-slashes": lambda s: json.dumps({"note": s}).replace("/", "\\/"),
    "json-cut": lambda s: '{"note":"%s' % s,
    "xml": lambda s: "<note>%s</note>" % html.escape(s),
}
assert len(FORMS) == 40

NAMES = sorted(FORMS)
for number in range(500):
    length = RANDOM.randint(12, 40)
    secret = "".join(RANDOM.choice(LETTERS) for _ in range(length - 2)) + RANDOM.choice(["/+", "-_", "ab", "=="])
    name = NAMES[number % 40]
    text = FORMS[name](secret)
    if number % 5 == 0:
        outer = RANDOM.choice(NAMES)
        name, text = "%s in %s" % (name, outer), FORMS[outer](text)
    print("\t".join(json.dumps(part) for part in (secret, name, text)))
