"""Plants mistakes in what Scripts/apple checks, one row of a table each.

    mistakes.py draw SEED                      prints ten mistakes of Tests/Contracts/sdk/mistakes.tsv, two for each vendor
    mistakes.py draw all                       prints all of them
    mistakes.py stage KIND                     prints the compiler's stage that finds such a mistake
    mistakes.py words KIND PATH                prints what the compiler's error has to say of it
    mistakes.py candidates                     prints every row of the tables that the glue seems to use
    mistakes.py plant VENDOR KIND PATH FOLDER  writes the table or the glue with that mistake into FOLDER

A mistake of the kinds label, await, optional and case changes the row, so that the glue's use of it is wrong: another label,
a call that has to be awaited, a value that may be missing, a case of another name. One of the kind send lets the glue call a
method that belongs to no actor on an object of the main actor's.
"""
import pathlib
import random
import re
import sys

TABLES = pathlib.Path("Tests/Contracts/sdk")
GLUE = pathlib.Path("Examples/Phone/Glue")
VENDORS = {
    "ARISE": "arise-0.0.6",
    "Adyen": "adyen-3.17.0",
    "Ecommpay": "ecommpay-msdkcore-0.14.2",
    "Halo": "halo-1.0.95",
    "NI": "ni-seed",
}
KINDS = ["await", "case", "label", "optional"]


def table(vendor):
    return TABLES / f"{VENDORS[vendor]}.symbols.tsv"


def rows(vendor):
    return [line.split("\t") for line in table(vendor).read_text(encoding="utf-8").splitlines()[1:]]


def glue(vendor):
    return {file: file.read_text(encoding="utf-8") for file in sorted((GLUE / vendor).glob("*.swift"))}


def name_of(path):
    return re.split(r"\.(?![^(]*\))", path)[-1].split("(")[0]


def closing(text):
    """Where a method's parameters end."""
    depth = 0
    for place in range(text.index("("), len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place + 1
    sys.exit(f"{text} has no end")


def changed(kind, row):
    """A row's path and declaration with the mistake; None where the row can't have it."""
    path, sort, text = row[0], row[1], row[2]
    if kind == "label" and sort in ("method", "init"):
        found = re.search(r"\((\w+)", text)
        if found and found[1] != "_":
            label = found[1]
            return path.replace(f"({label}:", f"({label}Other:", 1), re.sub(rf"\({label}\b", f"({label}Other", text, count=1)
    if kind == "await" and sort == "method" and "async" not in text:
        behind = closing(text)
        return path, text[:behind] + " async" + text[behind:]
    if kind == "optional" and sort == "property":
        found = re.match(r"((?:let|var) \w+: )([\w.\[\] :]+?)( \{.*\})?$", text)
        if found and not found[2].endswith("?"):
            return path, f"{found[1]}{found[2]}?{found[3] or ''}"
    if kind == "case":
        is_case = sort == "case" or re.match(r"class var \w+: (\w+) ", text) and f"class var {name_of(path)}: {path.split('.')[0]} " in text
        if is_case:
            name = name_of(path)
            return path.replace(f".{name}", f".{name}Other", 1), re.sub(rf"\b{name}\b", f"{name}Other", text, count=1)
    return None


def leaving(row):
    """How the glue lets an object leave the main actor for a call."""
    return re.compile(rf"unsafe (\w+)\.leaving\(\)(\s*)\.{name_of(row[0])}\(")


def is_used(kind, row, text):
    name = name_of(row[0])
    if kind == "send":
        return row[1] == "method" and "async" in row[2] and row[3] != "MainActor" and leaving(row).search(text)
    if changed(kind, row) is None:
        return False
    if kind in ("label", "await"):
        if row[1] == "init":
            return re.search(rf"\b{row[0].split('.')[-2]}\(", text)
        return re.search(rf"\.{name}\(|func {name}\(", text)
    if kind == "case":
        return re.search(rf"\.{name}\b", text)
    return re.search(rf"\.{name}\b", text)


def candidates():
    for vendor in VENDORS:
        text = "\n".join(glue(vendor).values())
        for row in rows(vendor):
            if row[6].startswith("skip:"):
                continue
            for kind in KINDS + ["send"]:
                if is_used(kind, row, text):
                    yield vendor, kind, row[0]


def pool():
    return [line.split("\t") for line in (TABLES / "mistakes.tsv").read_text(encoding="utf-8").splitlines()[1:]]


def words(kind, path):
    """What an error about the mistake says: an extended expression."""
    name = name_of(path)
    label = re.search(r"\((\w+)", path)
    return {
        "await": "not marked with 'await'",
        "case": rf"\b{name}\b|'_' can only appear in a pattern",
        "label": rf"\b{label[1] if label else name}\b",
        "optional": r"optional|\?",
        "send": "risks causing data races",
    }[kind]


def draw(seed):
    """One mistake for each vendor that can send, and of the other kinds as evenly as seven of four can be."""
    known = pool()
    chance = random.Random(seed)
    vendors = sorted(VENDORS)
    wanted = [(vendor, "send") for vendor in vendors if any(row[:2] == [vendor, "send"] for row in known)]
    kinds = []
    for vendor in vendors + [vendor for vendor in vendors if (vendor, "send") not in wanted]:
        able = [kind for kind in KINDS if (vendor, kind) not in wanted and any(row[:2] == [vendor, kind] for row in known)]
        fewest = min(kinds.count(kind) for kind in able)
        kinds.append(chance.choice([kind for kind in able if kinds.count(kind) == fewest]))
        wanted.append((vendor, kinds[-1]))
    for vendor, kind in sorted(wanted):
        print("\t".join(chance.choice([row for row in known if row[:2] == [vendor, kind]])[:3]))


def plant(vendor, kind, path, folder):
    folder = pathlib.Path(folder)
    (folder / "glue").mkdir(parents=True)
    (folder / "tables").mkdir()
    found = [row for row in rows(vendor) if row[0] == path]
    if not found:
        sys.exit(f"{path} is in no row of {table(vendor).name} any more.")
    texts = {file.name: text for file, text in glue(vendor).items()}
    lines = table(vendor).read_text(encoding="utf-8").splitlines()
    if kind == "send":
        texts, before = {name: leaving(found[0]).sub(r"\1.object\2.%s(" % name_of(path), text) for name, text in texts.items()}, texts
        if texts == before:
            sys.exit(f"The glue of {vendor} calls {path} in another way now.")
    else:
        new = changed(kind, found[0])
        if new is None:
            sys.exit(f"{path} can't have a mistake of the kind {kind}.")
        at = next(place for place, line in enumerate(lines) if line.split("\t")[0] == path)
        lines[at] = "\t".join([new[0], found[0][1], new[1]] + found[0][3:])
    (folder / "tables" / table(vendor).name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name, text in texts.items():
        (folder / "glue" / name).write_text(text, encoding="utf-8")


def main(arguments):
    if arguments[0] == "draw":
        if arguments[1] == "all":
            print("\n".join("\t".join(row[:3]) for row in pool()))
        else:
            draw(int(arguments[1]))
    elif arguments[0] == "stage":
        print("emit-sil" if arguments[1] == "send" else "typecheck")
    elif arguments[0] == "words":
        print(words(*arguments[1:]))
    elif arguments[0] == "candidates":
        for row in candidates():
            print("\t".join(row))
    else:
        plant(*arguments[1:])


main(sys.argv[1:])
