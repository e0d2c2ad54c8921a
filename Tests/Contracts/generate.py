#!/usr/bin/env python3
"""Writes the tables of this folder as Swift text for PaymentSimulator: generate.py FOLDER OUT.

A table becomes one line of a small language that ContractParser reads; what comes twice is named once. Published rules
that lost against another document are changed here, by decisions.tsv, and nowhere else.
"""
import collections, copy, os, re, sys

HERE, OUT = sys.argv[1], sys.argv[2]
LETTERS = {"string": "s", "integer": "i", "number": "n", "boolean": "b", "any": "a", "object": "o", "array": "l", "null": "z"}
WIDTH, LINES = 106, 370


class Shape:
    """What may stand at one place."""

    def __init__(self, kinds="a"):
        self.kinds, self.members, self.item = set(kinds), None, None
        self.words, self.low, self.high, self.dated, self.nullable, self.shown = [], "", "", False, False, False

    def text(self, names):
        """The shape as text; `names` gives the name of an inner shape that has one."""
        out = ""
        if self.members is not None:
            out += "{" + ",".join(f"{n}{'!' if r else ''}={s.named(names)}" for n, (r, s) in sorted(self.members.items())) + "}"
        if self.item is not None: out += "[" + self.item.named(names) + "]"
        out += "".join(sorted(LETTERS[k] for k in self.kinds
                              if not (k == "object" and self.members is not None or k == "array" and self.item is not None)))
        if self.words: out += "<" + "|".join(self.words) + ">"
        if self.low or self.high: out += f"({plain(self.low)}:{plain(self.high)})"
        return out + "@" * self.dated + "?" * self.nullable + "^" * self.shown

    def named(self, names): return names(self) or self.text(names)


def plain(number): return re.sub(r"\.0+$", "", number)


def rows(file):
    with open(os.path.join(HERE, file), encoding="utf-8") as lines:
        found = [line.rstrip("\n").split("\t") for line in lines if not line.startswith("#")]
    head = found[0]
    return [dict(zip(head, row + [""] * len(head))) for row in found[1:] if any(row)]


# Adyen and ecommpay: one file for each message, by path.

def published(file):
    known = collections.OrderedDict()
    for row in rows(file):
        kinds = row["type"].split("|")
        shape = Shape(kinds)
        shape.words = [w for w in row.get("words", "").split("|") if w]
        shape.low, shape.high = row.get("min", ""), row.get("max", "")
        shape.dated = row.get("format", "") in ("date-time", "dateTime")
        add(known, row["path"], shape, row.get("required") == "yes")
    return known


def add(known, path, shape, required):
    known[path] = shape
    if path == "$": return
    end = len(path)
    while True:
        if path[:end].endswith("[]"):
            parent, name = path[:end - 2], None
            if parent in known:
                known[parent].item = shape
                return
        end = path.rfind(".", 0, end)
        if end < 0: raise SystemExit(f"{path} stands in nothing")
        parent, name = path[:end], path[end + 1:]
        if parent in known:
            holder = known[parent]
            if holder.members is None: holder.members = {}
            if "object" not in holder.kinds: holder.kinds.add("object")
            holder.members[re.sub(r"<[^>]*>", "*", name)] = (required, shape)
            return


# ARISE, Network International and Halo: all messages in one file, each a reference to others.

def described(files, enums=None, shown=False):
    words = {row["enum"]: row["words"].split("|") for row in rows(enums)} if enums else {}
    messages = collections.OrderedDict()
    for file in files:
        for row in rows(file):
            if "path" not in row or row["message"] == "message" or row["path"] == "words": continue
            messages.setdefault(re.sub(r"@\d+$", "", row["message"]), []).append(row)
    made = {}

    def message(name, above=()):
        known = collections.OrderedDict([("$", Shape(["object"]))])
        known["$"].shown = shown
        known["$"].members = {}
        for row in messages[name]:
            if row["path"] == "*": continue
            shape = typed(row["type"], above + (name,))
            if shape is None: continue
            shape.nullable = row["nullable"] in ("yes", "maybe") or shown
            if row["enum"] and "<" not in row["enum"]: shape.words = row["enum"].split("|")
            # A number's length, as one description has it, is in the table and is not checked.
            limits = dict(re.findall(r"(\w+) (\d+)", row["limits"])) if "number" not in shape.kinds else {}
            shape.low = limits.get("minLength") or limits.get("minItems") or ""
            shape.high = limits.get("maxLength") or ""
            add(known, "$." + row["path"], shape, row["required"] == "yes")
        return known

    def typed(kind, above):
        found = re.match(r"array<(.*)>$", kind)
        if found:
            shape = Shape(["array"])
            shape.item = typed(found[1], above)
            return shape
        if kind.startswith("@"):
            name = kind[1:]
            if name in words:
                shape = Shape(["integer"])
                shape.words = words[name]
                return shape
            if name not in messages or name in above: return Shape(["any"])
            return message(name, above)["$"]
        if kind in ("type", ""): return None
        name, _, form = kind.partition("(")
        shape = Shape([name if name in LETTERS else "any"])
        shape.dated = form == "date-time)"
        shape.shown = shown and name == "object"
        return shape

    for name in messages: made[name] = message(name)
    return made


def union(one, other):
    """What either of two examples allows."""
    if one.kinds != other.kinds: one.kinds |= other.kinds
    one.nullable, one.shown = one.nullable or other.nullable, one.shown or other.shown
    if other.members is not None:
        if one.members is None: one.members = {}
        for name, (required, shape) in other.members.items():
            if name in one.members: union(one.members[name][1], shape)
            else: one.members[name] = (False, shape)
    if other.item is not None:
        if one.item is None: one.item = other.item
        else: union(one.item, other.item)
    return one


# All providers.

def every():
    adyen = {f"{folder}/{name[:-4]}": published(f"adyen/{folder}/{name}")
             for folder in sorted(os.listdir(os.path.join(HERE, "adyen")))
             for name in sorted(os.listdir(os.path.join(HERE, "adyen", folder)))}
    gate = {f"gate/{name[:-4]}": published(f"ecommpay/gate/{name}") for name in sorted(os.listdir(os.path.join(HERE, "ecommpay/gate")))}
    for shape in ("payment", "step", "other"):
        # The templates show names and no types; what both have is of the type that the sample shows.
        known = collections.OrderedDict()
        sample = {r["path"]: r["type"] for r in rows(f"ecommpay/callback.{shape}.sample.tsv")}
        template = {r["path"]: r["type"] for r in rows(f"ecommpay/callback.{shape}.template.tsv")}
        for path in sorted(set(sample) | set(template)):
            kind = sample.get(path) or (template[path] if template[path] in ("object", "array") else "any")
            member = Shape([kind])
            # Samples of tests: what they lack is not forbidden.
            member.shown = kind == "object"
            add(known, path, member, False)
        gate[f"callback.{shape}"] = known
    return {
        "adyen": adyen, "ecommpay": gate,
        "arise": described(["arise-v1.members.tsv"], "arise-v1.enums.tsv"),
        "ni": described(["ni-softpos.examples.tsv"], shown=True),
        "halo": described(["halo-docs.members.tsv"], shown=True),
    }


def decide(providers):
    """Changes what lost against another document."""
    for row in rows("decisions.tsv"):
        known = providers[row["provider"]].get(row["message"])
        if known is None: raise SystemExit(f"decisions.tsv names {row['message']}, which is not there")
        path, change, value = row["path"], row["change"], row["value"]
        if change == "add":
            if path in known: raise SystemExit(f"decisions.tsv adds {path} to {row['message']}, which has it")
            add(known, path, Shape(value.split("|")), False)
            continue
        if path not in known: raise SystemExit(f"decisions.tsv names {path} of {row['message']}, which is not there")
        shape = known[path]
        if change == "type": shape.kinds, shape.low, shape.high = set(value.split("|")), "", ""
        elif change == "word": shape.words.append(value)
        elif change == "nullable": shape.nullable = True
        elif change == "limit": shape.low, _, shape.high = value.partition(":")
        elif change in ("optional", "required"):
            holder = known[path.rsplit(".", 1)[0]]
            holder.members[path.rsplit(".", 1)[1]] = (change == "required", shape)
        else: raise SystemExit(f"decisions.tsv: there is no change {change}")


def bound(providers):
    """The bindings, and the messages that they or the code name."""
    found = {name: [] for name in providers}
    for row in rows("bindings.tsv"):
        known = providers[row["provider"]]
        for message in re.split(r"[ =,]", row["request"] + " " + row["answers"]):
            if "+" in message and message not in known:
                one, *others = message.split("+")
                root = copy.deepcopy(known[one]["$"])
                for other in others: union(root, copy.deepcopy(known[other]["$"]))
                known[message] = {"$": root}
            if message.endswith("[]") and message not in known:
                shape = Shape(["array"])
                shape.item = known[message[:-2]]["$"]
                known[message] = {"$": shape}
        fields = [row["method"], row["path"], row["request"] or "-", row["answers"] or "-", row["query"] or "-"]
        found[row["provider"]].append("|".join(fields) + ";")
        for message in re.findall(r"[^ ,=]+", row["request"]) + re.findall(r"=([^ ,]+)", row["answers"]):
            if message not in ("-", "*") and message not in known: raise SystemExit(f"bindings.tsv names {message}, which is not there")
    return found


def language(messages):
    """The messages as text, with what comes twice named once."""
    counts = collections.Counter()

    def count(shape):
        text = shape.text(lambda s: None)
        if len(text) < 40: return
        counts[text] += 1
        if counts[text] > 1: return
        for _, inner in (shape.members or {}).values(): count(inner)
        if shape.item is not None: count(shape.item)

    for known in messages.values(): count(known["$"])
    numbers, lines = {}, []

    def name(shape):
        text = shape.text(lambda s: None)
        if counts[text] < 2: return None
        if text not in numbers:
            body = shape.text(name)
            numbers[text] = f"#{len(numbers)}"
            lines.append(f"{numbers[text]}={body};")
        return numbers[text]

    for message, known in sorted(messages.items()):
        body = known["$"].text(name)
        lines.append(f"{message}={body};")
    return lines


def wrapped(lines):
    for line in lines:
        current = ""
        for piece in re.findall(r"[^,{|]*[,{|]?", line):
            if current and len(current) + len(piece) > WIDTH:
                yield current
                current = ""
            current += piece
        if current: yield current


HEAD = "// Made by Scripts/contracts of Tests/Contracts, which says whose facts these are; not edited by hand."


def main():
    providers = every()
    decide(providers)
    bindings = bound(providers)
    used = {}
    for provider, messages in providers.items():
        named = set(re.findall(r"[^|;,=]+", "".join(bindings[provider])))
        # Adyen's messages to terminals and the webhooks and callbacks are found by what stands in them.
        used[provider] = {m: k for m, k in messages.items()
                          if m in named or m.startswith(("terminal/", "webhooks/", "callback.")) or m in ("webhook",)}
    os.makedirs(OUT, exist_ok=True)
    written = set()
    for provider, messages in used.items():
        text = list(wrapped(language(messages)))
        parts = [text[i:i + LINES] for i in range(0, len(text), LINES)]
        upper = {"adyen": "Adyen", "arise": "ARISE", "ecommpay": "Ecommpay", "halo": "Halo", "ni": "NI"}[provider]
        for number, part in enumerate(parts, 1):
            file = f"ContractData+{upper}{number}.swift"
            written.add(file)
            with open(os.path.join(OUT, file), "w", encoding="utf-8") as out:
                out.write(f"{HEAD}\n\nextension ContractData {{\n    static let {provider}{number} = #\"\"\"\n")
                out.write("".join(f"        {line}\n" for line in part))
                out.write("        \"\"\"#\n}\n")
        file = f"ContractData+{upper}.swift"
        written.add(file)
        with open(os.path.join(OUT, file), "w", encoding="utf-8") as out:
            all_ = ", ".join(f"{provider}{n}" for n in range(1, len(parts) + 1))
            out.write(f"{HEAD}\n\nextension ContractData {{\n")
            out.write(f"    static let {provider} = ContractData(\n        tables: [{all_}],\n        bindings: #\"\"\"\n")
            out.write("".join(f"            {line}\n" for line in wrapped(bindings[provider])))
            out.write("            \"\"\"#)\n}\n")
        members = sum(len(known) for known in messages.values())
        print(f"{provider}: {len(messages)} messages, {len(bindings[provider])} calls, {sum(map(len, text))} characters")
    for file in os.listdir(OUT):
        if file.startswith("ContractData+") and file not in written: os.remove(os.path.join(OUT, file))


main()
