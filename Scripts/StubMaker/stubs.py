"""Writes modules to check types against, of the tables of published declarations in Tests/Contracts/sdk.

    stubs.py TABLES FOLDER      writes every module's files into FOLDER
    stubs.py --modules TABLES   prints each module with its flags and its table, in the order in which they compile

A module is never more permissive than its table. A type is Sendable or of the main actor only where the table says so,
"unstated" is read as "no", an initialiser that no row lists isn't public, and an enum may get more cases unless the module
is of Objective-C. A row that can't be written, or whose columns contradict its declaration, stops the run.
"""
import pathlib
import re
import sys
from typing import NamedTuple

LINES_MAX = 640
SAID = """// Made by Scripts/stubs of Tests/Contracts/sdk/{table}; not edited by hand. Nothing of it ever runs.
// swift-format-ignore-file
"""
OWNERS = {"class", "enum", "extension", "protocol", "struct"}
MEMBERS = {"case", "init", "method", "property", "typealias"}


class Row(NamedTuple):
    path: str
    kind: str
    text: str
    isolation: str
    sendable: str
    source: str
    note: str


def refuse(table, row, why):
    sys.exit(f"{table}: {row.path}: {why}")


def rows_of(table):
    lines = table.read_text(encoding="utf-8").splitlines()
    if lines[0].split("\t") != ["path", "kind", "declaration", "isolation", "sendable", "source", "note"]:
        sys.exit(f"{table.name} has other columns")
    return [row for row in (Row(*line.split("\t")) for line in lines[1:]) if not row.note.startswith("skip:")]


def check(table, row):
    """The columns beside a declaration say what it says."""
    if row.kind not in OWNERS | MEMBERS:
        refuse(table, row, f"a {row.kind} can't be written")
    if ("@MainActor" in row.text) and row.isolation != "MainActor":
        refuse(table, row, "is of the main actor by its declaration alone")
    if row.kind in OWNERS - {"extension"}:
        said = re.search(r"\b(Sendable|Error)\b", conformances(row.text)) is not None
        if said != row.sendable.startswith("yes"):
            refuse(table, row, "is Sendable by its declaration or by its column alone")


def name_of(path):
    """A path's owner and its last part; dots inside labels don't part it."""
    parts = re.split(r"\.(?![^(]*\))", path)
    return ".".join(parts[:-1]), parts[-1]


def conformances(text):
    """What stands behind the colon of a type's head, without generic parameters and conditions."""
    head = text.split(" where ")[0]
    depth, colon = 0, None
    for place, letter in enumerate(head):
        depth += {"<": 1, "(": 1, ">": -1, ")": -1}.get(letter, 0)
        if letter == ":" and depth == 0:
            colon = place
            break
    return "" if colon is None else head[colon + 1 :]


class Module:
    """One table: its rows by their owners."""

    def __init__(self, file):
        self.file = file
        everything = rows_of(file)
        self.rows = [row for row in everything if row.kind not in ("module", "import")]
        described = [row for row in everything if row.kind == "module"]
        if len(described) != 1:
            sys.exit(f"{file.name} names {len(described)} modules")
        self.name, self.is_objective_c = described[0].path, "Objective-C" in described[0].text
        mode = re.search(r"-swift-version (\S+)", described[0].text)
        self.flags = ["-swift-version", mode[1] if mode else "6"]
        self.flags += [] if self.is_objective_c else ["-enable-library-evolution"]
        self.imports = [row.text.split()[-1] for row in everything if row.kind == "import"]
        self.exported = {row.path for row in everything if row.kind == "import" and "@_exported" in row.text}
        self.types = {row.path: row for row in self.rows if row.kind in OWNERS}
        self.members = {path: [] for path in self.types}
        self.roots = []
        for row in self.rows:
            check(file.name, row)
            owner = name_of(row.path)[0]
            if owner and owner not in self.types:
                refuse(file.name, row, "its owner has no row")
            (self.members[owner] if owner else self.roots).append(row)
        self.written = 0

    def superclass(self, path):
        first = re.match(r"\s*(\w+)", conformances(self.types[path].text))
        found = self.types.get(first[1]) if first else None
        return found.path if found and found.kind == "class" else None

    def initialisers(self, path):
        return [row for row in self.members[path] if row.kind == "init"]

    def overrides(self, row, owner):
        """Whether a class above declares the same member; a class with initialisers of its own inherits none."""
        above = self.superclass(owner)
        while above:
            if any(other.kind == row.kind and name_of(other.path)[1] == name_of(row.path)[1] for other in self.members[above]):
                return "convenience " not in row.text
            above = None if row.kind == "init" and self.initialisers(above) else self.superclass(above)
        return False

    def files(self):
        """The module's files by their names, each short enough for the rules of the house."""
        heads = [SAID.format(table=self.file.name)]
        heads += [f"{'@_exported ' * (module in self.exported)}public import {module}\n" for module in sorted(self.imports)]
        if "Foundation" in self.imports:
            heads.append("#if canImport(FoundationNetworking)\npublic import FoundationNetworking\n#endif\n")
        parts, lines = [[]], 0
        for row in self.roots:
            piece = self.owner(row, 0) if row.kind in OWNERS else [self.member(row, None, 0)]
            if lines and lines + len(piece) > LINES_MAX:
                parts.append([])
                lines = 0
            parts[-1] += piece + [""]
            lines += len(piece) + 1
        if self.written != len(self.rows):
            sys.exit(f"{self.file.name}: {len(self.rows)} rows, but {self.written} declarations")
        return {
            f"{self.name}{place or ''}.swift": "".join(heads) + "\n" + "\n".join(part).rstrip() + "\n"
            for place, part in enumerate(parts if len(parts) == 1 else [None] + parts)
            if part is not None
        }

    def owner(self, row, depth):
        self.written += 1
        pad, text = "    " * depth, row.text
        # What a class promises unchecked, a class without state promises checked; no subclass could be made outside its module.
        if "@unchecked Sendable" in text:
            text = text.replace("@unchecked Sendable", "Sendable")
            text = text if text.startswith("final ") else "final " + text
        # On Linux the number of Foundation can have no subclass.
        text = text.replace(": NSNumber", ": NSObject")
        lines = [pad + head(text, row, row.kind == "extension") + " {"]
        for member in self.members[row.path]:
            lines += self.owner(member, depth + 1) if member.kind in OWNERS else [self.member(member, row, depth + 1)]
        if row.kind == "class":
            own = self.initialisers(row.path)
            # Inherited initialisers would be public, and so would be one of a class that lists none.
            if not own and not self.superclass(row.path) and ":" not in row.text:
                lines.append(pad + "    init() { fatalError() }")
            elif all("convenience " in init.text for init in own) and (own or "NSObject" in text):
                lines.append(pad + "    init(stub: Void) { fatalError() }")
        return lines + [pad + "}"]

    def member(self, row, owner, depth):
        self.written += 1
        inside = owner.kind if owner else ""
        declared = row.text
        if owner and "@unchecked" in owner.text:
            # What stays computed is no state.
            declared = re.sub(r"^((?:final )?)let (.*)$", r"\1var \2 { get }", declared)
        bare = inside == "protocol" or row.kind in ("case", "typealias")
        text = declared if bare else with_body(row._replace(text=declared))
        if inside == "class" and self.overrides(row, owner.path):
            text = "override " + text
        return "    " * depth + head(text, row, inside == "protocol" or row.kind == "case")


def with_body(row):
    """A member that could be called, if anything of it ran."""
    if row.kind != "property":
        return row.text + (" { EmptyView() }" if row.text.endswith("-> some View") else " { fatalError() }")
    found = re.search(r"\s*\{([^{}]*)\}$", row.text)
    if not found:
        return row.text + (" = { fatalError() }()" if re.search(r"\bstatic (let|var)\b", row.text) else "")
    declared, words = row.text[: found.start()], found[1].split()
    value = "EmptyView()" if declared.endswith(": some View") else "fatalError()"
    effects = "".join(f" {word}" for word in words if word in ("async", "throws"))
    return f"{declared} {{ get{effects} {{ {value} }}{' set {}' if 'set' in words else ''} }}"


def head(text, row, is_without_access):
    """A declaration with its actor and its access, behind its attributes."""
    if row.isolation == "MainActor" and "@MainActor" not in text and row.kind != "extension":
        text = "@MainActor " + text
    attributes = re.match(r"(?:@\w+(?:\([^)]*\))? )*", text)[0]
    rest = text[len(attributes) :]
    is_said = is_without_access or re.match(r"(override )?(public|open) ", rest)
    return attributes + ("" if is_said else "public ") + rest


def in_order(modules):
    """What others need comes first."""
    names, done = {module.name for module in modules}, []
    while len(done) < len(modules):
        ready = [
            module
            for module in modules
            if module not in done and not (set(module.imports) & names) - {other.name for other in done}
        ]
        if not ready:
            sys.exit("the modules need one another")
        done += ready
    return done


def main(arguments):
    tables = sorted(pathlib.Path(arguments[-1 if arguments[0] == "--modules" else 0]).glob("*.symbols.tsv"))
    modules = in_order([Module(table) for table in tables])
    if arguments[0] == "--modules":
        for module in modules:
            print(module.name, module.file.name, *module.flags)
        return
    for module in modules:
        folder = pathlib.Path(arguments[1]) / module.name
        folder.mkdir(parents=True)
        for name, text in module.files().items():
            (folder / name).write_text(text, encoding="utf-8")


main(sys.argv[1:])
