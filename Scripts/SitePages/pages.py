#!/usr/bin/env python3
"""Writes static pages of what `docc convert` made: plain HTML that a browser opens from the disk, without a script.

  Scripts/SitePages/pages.py FOLDER ARCHIVE...

Each archive is the documentation of one module. A link that leads to no page or to no heading of its page ends the
program with status 1.
"""
import hashlib
import html
import json
import os
import re
import shutil
import sys

STYLE = """body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1d1d1f;background:#fff}
a{color:#0050b3}code,pre{font-family:monospace;background:#f2f2f4}pre{padding:.8rem;overflow-x:auto}img{max-width:100%;background:#fff}
table{border-collapse:collapse;display:block;overflow-x:auto}td,th{border:1px solid #bbb;padding:.3rem .6rem;text-align:left}
aside{border-left:4px solid #0050b3;padding-left:1rem}nav{margin-bottom:1rem}dt{margin-top:.6rem}
@media(prefers-color-scheme:dark){body{color:#eee;background:#1c1c1e}a{color:#7db7ff}code,pre{background:#2c2c2e}}"""


def file_name(url):
    """The file of a page, below the folder: letters that every file system takes, never twice."""
    path = url.removeprefix("/documentation/").removeprefix("/")
    plain = re.sub(r"[^a-z0-9/._-]+", "-", path.lower())
    if plain != path.lower() or len(plain) > 120:
        plain = plain[:120].rstrip("/") + "-" + hashlib.sha256(path.lower().encode()).hexdigest()[:8]
    return plain + ".html"


class Page:
    """One page of an archive as HTML."""

    def __init__(self, document, urls):
        self.document, self.urls = document, urls
        self.references = document.get("references", {})
        self.images = set()
        self.file = file_name(document["identifier"]["url"].split("/documentation/", 1)[1])

    def link(self, identifier, text=None):
        reference = self.references.get(identifier, {})
        title = text or html.escape(reference.get("title", identifier.rsplit("/", 1)[-1]))
        url, _, anchor = reference.get("url", "").partition("#")
        if url.lower() in self.urls:
            place = os.path.relpath(file_name(url), os.path.dirname(self.file))
            return f'<a href="{html.escape(place)}{"#" + html.escape(anchor) if anchor else ""}">{title}</a>'
        if url.startswith(("https://", "http://")):
            return f'<a href="{html.escape(url)}">{title}</a>'
        return title

    def inline(self, parts):
        return "".join(self.one_inline(part) for part in parts or [])

    def one_inline(self, part):
        kind = part["type"]
        if kind == "text":
            return html.escape(part["text"])
        if kind == "codeVoice":
            return f'<code>{html.escape(part["code"])}</code>'
        if kind == "reference":
            title = self.references.get(part["identifier"], {}).get("title", "")
            shown = part.get("overridingTitleInlineContent")
            is_symbol = self.references.get(part["identifier"], {}).get("kind") == "symbol"
            text = self.inline(shown) if shown else html.escape(title)
            return self.link(part["identifier"], f"<code>{text}</code>" if is_symbol and not shown else text or None)
        if kind in ("emphasis", "strong", "newTerm", "inlineHead"):
            tag = "em" if kind == "emphasis" else "strong"
            return f'<{tag}>{self.inline(part["inlineContent"])}</{tag}>'
        if kind == "image":
            image = self.references[part["identifier"]]
            url = image["variants"][0]["url"].lstrip("/")
            self.images.add(url)
            place = os.path.relpath(url, os.path.dirname(self.file))
            return f'<img src="{html.escape(place)}" alt="{html.escape(image.get("alt", ""))}">'
        raise ValueError(f"{self.file}: a piece of text of kind {kind} has no form here")

    def blocks(self, parts):
        return "\n".join(self.one_block(part) for part in parts or [])

    def one_block(self, part):
        kind = part["type"]
        if kind == "paragraph":
            return f'<p>{self.inline(part["inlineContent"])}</p>'
        if kind == "heading":
            level = min(6, part["level"])
            return f'<h{level} id="{html.escape(part["anchor"])}">{html.escape(part["text"])}</h{level}>'
        if kind == "codeListing":
            return "<pre>" + html.escape("\n".join(part["code"])) + "</pre>"
        if kind == "aside":
            return f'<aside><b>{html.escape(part.get("name", part["style"]))}</b>{self.blocks(part["content"])}</aside>'
        if kind in ("unorderedList", "orderedList"):
            tag = "ul" if kind == "unorderedList" else "ol"
            return f"<{tag}>" + "".join(f'<li>{self.blocks(i["content"])}</li>' for i in part["items"]) + f"</{tag}>"
        if kind == "termList":
            return "<dl>" + "".join(
                f'<dt>{self.inline(i["term"]["inlineContent"])}</dt><dd>{self.blocks(i["definition"]["content"])}</dd>'
                for i in part["items"]) + "</dl>"
        if kind == "table":
            return self.table(part)
        if kind == "links":
            return "<ul>" + "".join(f"<li>{self.link(i)}</li>" for i in part["items"]) + "</ul>"
        if kind == "thematicBreak":
            return "<hr>"
        raise ValueError(f"{self.file}: a block of kind {kind} has no form here")

    def table(self, part):
        rows = []
        for number, row in enumerate(part["rows"]):
            tag = "th" if number == 0 and part.get("header") in ("row", "both") else "td"
            rows.append("<tr>" + "".join(f"<{tag}>{self.blocks(cell)}</{tag}>" for cell in row) + "</tr>")
        return "<table>" + "".join(rows) + "</table>"

    def section(self, section):
        kind = section["kind"]
        if kind == "declarations":
            texts = ["".join(t["text"] for t in d["tokens"]) for d in section["declarations"]]
            return "".join(f"<pre>{html.escape(text)}</pre>" for text in texts)
        if kind == "content":
            return self.blocks(section["content"])
        if kind == "parameters":
            return "<h2>Parameters</h2><dl>" + "".join(
                f'<dt><code>{html.escape(p["name"])}</code></dt><dd>{self.blocks(p["content"])}</dd>'
                for p in section["parameters"]) + "</dl>"
        if kind in ("mentions", "attributes", "possibleValues"):
            return ""
        raise ValueError(f"{self.file}: a section of kind {kind} has no form here")

    def listed(self, section):
        rows = []
        for identifier in section["identifiers"]:
            abstract = self.inline(self.references.get(identifier, {}).get("abstract"))
            rows.append(f"<dt><code>{self.link(identifier)}</code></dt>" + (f"<dd>{abstract}</dd>" if abstract else ""))
        return f'<h3>{html.escape(section.get("title", ""))}</h3><dl>' + "".join(rows) + "</dl>"

    def text(self):
        d = self.document
        title = html.escape(d["metadata"]["title"])
        start = os.path.relpath("index.html", os.path.dirname(self.file))
        paths = (d.get("hierarchy", {}).get("paths") or [[]])[0]
        trail = " › ".join([f'<a href="{start}">All modules</a>'] + [self.link(i) for i in paths])
        body = [f"<nav>{trail}</nav>", f"<h1>{title}</h1>"]
        if d.get("abstract"):
            body.append(f'<p>{self.inline(d["abstract"])}</p>')
        body += [self.section(s) for s in d.get("primaryContentSections", [])]
        for name, key in (("Topics", "topicSections"), ("Relationships", "relationshipsSections"),
                          ("See also", "seeAlsoSections")):
            if d.get(key):
                body.append(f"<h2>{name}</h2>")
                body += [self.listed(s) for s in d[key]]
        return frame(title, "\n".join(body))


def frame(title, body):
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>\n<body>{body}</body></html>\n')


def documents(archive):
    for place, _, files in os.walk(os.path.join(archive, "data", "documentation")):
        for name in sorted(files):
            if name.endswith(".json"):
                with open(os.path.join(place, name), encoding="utf-8") as file:
                    yield json.load(file)


def broken_links(folder):
    """The links inside the folder that lead nowhere."""
    names, found = {}, []
    for place, _, files in os.walk(folder):
        for name in files:
            if not name.endswith(".html"):
                continue
            with open(os.path.join(place, name), encoding="utf-8") as file:
                text = file.read()
            names[os.path.normpath(os.path.join(place, name))] = (
                set(re.findall(r'<h\d id="([^"]*)"', text)), re.findall(r'<a href="([^"]*)"', text))
    for page, (_, links) in names.items():
        for link in links:
            if link.startswith(("https://", "http://")):
                continue
            path, _, anchor = html.unescape(link).partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if target not in names or anchor and html.escape(anchor) not in names[target][0]:
                found.append(f"{page}: {link}")
    return len(names), sum(len(links) for _, links in names.values()), found


def main(folder, archives):
    modules = {}
    for archive in archives:
        all_documents = list(documents(archive))
        urls = {"/documentation/" + d["identifier"]["url"].split("/documentation/", 1)[1].lower() for d in all_documents}
        for document in all_documents:
            page = Page(document, urls)
            place = os.path.join(folder, page.file)
            if os.path.exists(place):
                raise ValueError(f"{page.file} would be written twice")
            os.makedirs(os.path.dirname(place) or folder, exist_ok=True)
            with open(place, "w", encoding="utf-8") as file:
                file.write(page.text())
            for image in page.images:
                os.makedirs(os.path.dirname(os.path.join(folder, image)), exist_ok=True)
                shutil.copy(os.path.join(archive, image), os.path.join(folder, image))
            if document["metadata"].get("symbolKind") == "module" or "/" not in page.file:
                modules[document["metadata"]["title"]] = (page.file, page.inline(document.get("abstract")))
    rows = "".join(f'<dt><a href="{html.escape(file)}">{html.escape(name)}</a></dt><dd>{abstract}</dd>'
                   for name, (file, abstract) in sorted(modules.items()))
    with open(os.path.join(folder, "index.html"), "w", encoding="utf-8") as file:
        file.write(frame("payments", f"<h1>payments</h1><dl>{rows}</dl>"))
    pages, links, found = broken_links(folder)
    for line in found[:20]:
        print(line, file=sys.stderr)
    print(f"{pages} pages of {len(modules)} modules, {links} links, {len(found)} of them lead nowhere")
    return 1 if found or not modules else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
