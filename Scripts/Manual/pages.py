#!/usr/bin/env python3
"""Writes the manual pages of payctl: one for the program, one for each command, one for the operations of `payctl serve`.

  Scripts/Manual/pages.py PROGRAM FOLDER DATE

Everything is asked of the program: the commands of `--help`, each command's own `--help`, and the operations of the service's
OpenAPI document, which it makes of its table of operations. So no page can name what the program hasn't.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request


def told(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def plain(text):
    """Text as troff has it: nothing of it is a request or an escape."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...").replace("–", "\\(en")
    return "\\&" + text if text[:1] in (".", "'") else text


def head(name, section, summary, version, date):
    return [
        f'.TH {name.upper().replace("-", chr(92) + "-")} {section} {date} "payctl {version}" "payctl manual"', ".SH NAME",
        f"{plain(name)} \\- {plain(summary)}"]


def commands_of(program):
    """The commands of `--help` with their summaries, and its lines about the exit status."""
    text = told(program, "--help")
    commands = re.findall(r"^  ([a-z][a-z-]*(?: [a-z-]+)?) {2,}(.+)$", text, re.M)
    status = re.findall(r"^  (\d)  (.+)$", text, re.M)
    assert len(commands) > 40 and len(status) == 7, "the list of commands was not understood"
    return commands, status


def option_lines(text):
    lines = []
    for line in text.splitlines():
        match = re.match(r"^  (--\S+(?: [A-Z][A-Z=,.\[\]]*)?) +(.+)$", line)
        if match:
            lines += [".TP", f".B {plain(match[1])}", plain(match[2])]
    return lines


def page_of_command(program, name, summary, version, date):
    text = told(program, *name.split(), "--help")
    usage = text.splitlines()[0].removeprefix("usage: ")
    example = re.search(r"^Example:\n  (.+)$", text, re.M)
    lines = head("payctl-" + name.replace(" ", "-"), 1, summary, version, date)
    lines += [".SH SYNOPSIS", plain(usage)]
    if example:
        lines += [".SH EXAMPLE", ".nf", plain(example[1]), ".fi"]
    options = option_lines(text)
    if options:
        lines += [".SH OPTIONS"] + options
    return lines + [".SH SEE ALSO", ".BR payctl (1)"]


def page_of_program(commands, status, version, date):
    lines = head("payctl", 1, "takes payments at several providers behind one interface", version, date)
    lines += [
        ".SH SYNOPSIS", ".B payctl", ".I COMMAND", "[options]", ".SH DESCRIPTION",
        plain("Every attempt is recorded before it is sent, so that a crash or a lost reply leads neither to a double charge nor "
              "to a guessed result. Without a providers.json in the folder every provider is simulated."), ".SH COMMANDS"]
    for name, summary in commands:
        lines += [".TP", f".B {plain(name)}", plain(summary)]
    lines += [".SH EXIT STATUS"]
    for number, meaning in status:
        lines += [".TP", f".B {number}", plain(meaning)]
    lines += [".SH FILES", ".TP", ".I providers.json", "the configuration", ".TP", ".I ~/.local/state/payments",
              plain("where journals and simulated providers are kept"), ".SH SEE ALSO",
              plain("Each command has a page of its own, such as") + "\n.BR payctl\\-sale (1).",
              plain("The operations of the service are in") + "\n.BR payctl\\-api (7)."]
    return lines


def document_of(program):
    """The OpenAPI document, as the service itself gives it."""
    with tempfile.TemporaryDirectory() as state:
        service = subprocess.Popen(
            [program, "serve", "--listen", "127.0.0.1:0", "--state", state, "--format", "json"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=state)
        try:
            address = json.loads(service.stdout.readline())["address"]
            with urllib.request.urlopen(f"{address}/openapi.json") as answer:
                return json.load(answer)
        finally:
            service.terminate()
            service.wait()


def page_of_service(document, version, date):
    lines = head("payctl-api", 7, "the operations of payctl serve", version, date)
    lines += [".SH DESCRIPTION",
              plain("The payment API over HTTP. An Idempotency-Key is the id of an attempt: the same key never charges twice."),
              ".SH OPERATIONS"]
    count = 0
    for path, methods in sorted(document["paths"].items()):
        for method, operation in sorted(methods.items()):
            if "operationId" not in operation:
                continue
            count += 1
            lines += [".TP", f".B {method.upper()} {plain(path)}", plain(operation["summary"])]
            if "x-role" in operation:
                lines += [f"(role {plain(operation['x-role'])})"]
    assert count > 20, "the document has few operations"
    return lines + [".SH SEE ALSO", ".BR payctl\\-serve (1)"]


def main():
    program, folder, date = sys.argv[1:4]
    program = os.path.abspath(program)
    version = told(program, "--version").split()[1]
    commands, status = commands_of(program)
    pages = {"payctl.1": page_of_program(commands, status, version, date)}
    for name, summary in commands:
        page = page_of_command(program, name, summary, version, date)
        pages[f"payctl-{name.replace(' ', '-')}.1"] = page
    pages["payctl-api.7"] = page_of_service(document_of(program), version, date)
    for name, lines in pages.items():
        section = os.path.join(folder, "man" + name[-1])
        os.makedirs(section, exist_ok=True)
        with open(os.path.join(section, name), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    print(f"{len(pages)} manual pages")


main()
