"""Puts several patches into one tree, each behind its number, so that one build plays them all.

    together.py TREE NUMBER=PATCH ...

Of every function, initializer and command that a patch changes, the tree gets one version for each patch beside the present one, and
the number in the environment's PLANTED says which of them runs; without one, the present one does. What a patch adds outside
of functions is there always. A patch that changes anything else outside of functions can't be put in.
"""

import difflib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HEAD = re.compile(
    r"^( *)(?:@[\w()]+ )*(?:(?:public|package|private|fileprivate|internal|static|mutating|nonisolated|override|final) )*"
    r"(func|var|init|let(?= \w+ = Command\($))\b"
)
SWITCH = """import Glibc

enum Planted {
    /// Which patch runs; 0 for none.
    static let number = unsafe getenv("PLANTED").flatMap { unsafe Int(String(cString: $0)) } ?? 0
}
"""


class CantJoin(Exception):
    pass


class Function:
    """A function, initializer, computed property or command's closure: its lines, and where its body is."""

    def __init__(self, lines, start, indent):
        self.start, self.indent = start, indent
        self.is_command = lines[start].endswith(" = Command(")
        end = start
        while end < len(lines) and not lines[end].rstrip().endswith("{ call in" if self.is_command else "{"):
            if self.is_command and lines[end].startswith(indent + ")"):
                raise CantJoin(f"another closure than most of {lines[start].strip()}")
            one = re.match(r"^(.*?[^{]) \{ (.*) \}$", lines[end])
            if one and self.is_balanced(" ".join(lines[start:end] + [one.group(1)])):
                self.signature = lines[start:end] + [one.group(1) + " {"]
                self.body, self.end = [indent + "    " + one.group(2)], end + 1
                return
            end += 1
        closing = next((n for n in range(end + 1, len(lines)) if lines[n] == indent + "}"), None)
        if closing is None:
            raise CantJoin(f"no end of {lines[start].strip()}")
        self.signature, self.body, self.end = lines[start : end + 1], lines[end + 1 : closing], closing + 1

    @staticmethod
    def is_balanced(text):
        return text.count("(") == text.count(")") and "=" not in re.sub(r"[!=<>]=|= *nil|= *\w+[,)]", "", text)

    @property
    def name(self):
        return " ".join(line.strip() for line in self.signature)

    def effects(self):
        """What comes after the parameters: what it throws, and its result."""
        if self.is_command:
            return " async throws -> ExitStatus"
        text = self.name.removesuffix("{").strip()
        if re.search(r"\bvar\b", text):
            return " -> " + text.split(":", 1)[1].strip()
        depth, place = 0, text.index("(")
        for place in range(place, len(text)):
            depth += {"(": 1, ")": -1}.get(text[place], 0)
            if depth == 0:
                break
        return " " + re.sub(r"\bwhere .*", "", text[place + 1 :]).strip()


def functions(lines):
    found = []
    for number, line in enumerate(lines):
        head = HEAD.match(line)
        if not head or head.group(2) == "var" and not line.rstrip().endswith(("{", "}")):
            continue
        if head.group(2) == "var" and re.search(r"\bvar \w+(: [^{]*)? = ", line):
            continue
        try:
            found.append(Function(lines, number, head.group(1)))
        except CantJoin:
            continue
    return found


def around(found, first, last):
    """The outermost function around lines."""
    holding = [one for one in found if one.start <= first and last <= one.end]
    return min(holding, key=lambda one: len(one.indent), default=None)


def patched(tree, patch):
    """The files that a patch changes, as it leaves them."""
    text = pathlib.Path(patch).read_text()
    names = re.findall(r"^\+\+\+ b/(\S+)", text, re.M)
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            place = pathlib.Path(folder, name)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(tree / name, place)
        done = subprocess.run(["patch", "-p1", "-s", "-d", folder], input=text, capture_output=True, text=True)
        if done.returncode != 0:
            raise CantJoin(f"{patch} does not apply: {done.stdout}")
        return {name: pathlib.Path(folder, name).read_text().split("\n") for name in names}


def versions(before, after, place):
    """The functions that differ, with their other body; and what is added beside functions."""
    mine, theirs = functions(before), functions(after)
    changed, added = {}, []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        one = around(mine, a, max(b, a))
        other = around(theirs, c, max(d, c))
        if one and other and one.name == other.name:
            changed[one.start] = other.body
        elif tag == "insert":
            added.append((a, after[c:d]))
        else:
            raise CantJoin(f"{place}:{a + 1} is in no function, or its head changes")
    return changed, added


def joined(function, others):
    """A function with several bodies. Those of an initializer stand in the switch itself: only there it can set what it makes."""
    inner = function.indent + "    "
    if re.search(r"\binit\b", function.signature[0]):
        lines = list(function.signature) + [f"{inner}switch Planted.number {{"]
        for number, body in sorted(others.items()):
            lines += [f"{inner}case {number}:"] + body
        return lines + [f"{inner}default:"] + function.body + [f"{inner}}}", f"{function.indent}}}"]
    effects = function.effects()
    call = ("try " if "throws" in effects else "") + ("await " if "async" in effects else "")
    lines = list(function.signature)
    for number, body in [(0, function.body)] + sorted(others.items()):
        lines += [f"{inner}func planted{number}(){effects} {{"] + body + [f"{inner}}}"]
    lines.append(f"{inner}switch Planted.number {{")
    lines += [f"{inner}case {number}: return {call}planted{number}()" for number in sorted(others)]
    lines += [f"{inner}default: return {call}planted0()", f"{inner}}}", f"{function.indent}}}"]
    return lines


def main():
    tree = pathlib.Path(sys.argv[1])
    files = {}
    for argument in sys.argv[2:]:
        number, patch = argument.split("=", 1)
        for name, after in patched(tree, patch).items():
            files.setdefault(name, {})[int(number)] = after
    modules = set()
    for name, afters in files.items():
        before = (tree / name).read_text().split("\n")
        bodies, added = {}, {}
        for number, after in afters.items():
            changed, more = versions(before, after, f"{name} by {number}")
            for start, body in changed.items():
                bodies.setdefault(start, {})[number] = body
            for place, lines in more:
                added.setdefault(place, []).extend(lines)
        edits = [(one.start, one.end, joined(one, bodies[one.start])) for one in functions(before) if one.start in bodies]
        edits += [(place, place, lines) for place, lines in added.items()]
        for start, end, lines in sorted(edits, reverse=True):
            before[start:end] = lines
        (tree / name).write_text("\n".join(before))
        parts = pathlib.Path(name).parts
        modules.add("/".join(parts[: 3 if parts[1] in ("PaymentAbstraction", "Providers") else 2]))
    for module in modules:
        (tree / module / "Planted.swift").write_text(SWITCH)


try:
    main()
except CantJoin as problem:
    sys.exit(f"together: {problem}")
