"""Texts: what people read in the repository's files, with the line it stands in; it judges no text.

`python -m tests.repository.texts src/letitride/engine docs/web.md` prints the words that the guide avoids in some paths.
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from tests.repository.words import AVOIDED, sentences_over

ROOT: Final = Path(__file__).resolve().parents[2]
SQL: Final = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|WITH|PRAGMA|SET|LOCK|GRANT|COPY|BEGIN)\b")
CODE: Final = re.compile(r"``[^`]+``|`[^`]+`|(?<!\w)'[a-z_-]+( [A-Z][^']*)?'(?!\w)")
"""What is quoted as code or as a word of a notation: `x`, 'burn', 'burn CARD …'."""
ANY: Final = re.compile("|".join(f"(?:{pattern})" for pattern in AVOIDED), re.IGNORECASE)
SUFFIXES: Final = frozenset({".py", ".md", ".jinja", ".typ", ".ts", ".tsx", ".mjs"})
SCRIPT_COMMENT: Final = re.compile(r"(?:^|(?<=\s))//.*$|/\*.*?\*/|^\s*\*.*$")
NEW_TEXT: Final = re.compile(r"\s*([-*>]|\d+\.)\s|[|#]")
"""What begins a text of its own in a document: an item of a list, a row of a table, a heading."""
HASH_COMMENTS: Final = {"sh", "toml", "python", "pycon"}
"""Blocks of code in a document: only what stands after a '#' is a text."""

EXCEPTED: Final = {
    "docs/style-of-words.md": "the guide itself, which lists the words it avoids",
    "docs/modules.md": "made of the modules' first sentences, which are read where they stand",
}
"""Files that no reader of the guide's words is held to, and why."""


class Text(NamedTuple):
    """A text, and the line it begins in."""

    line: int
    words: str


def _plain(words: str) -> str:
    """A text without its code, on one line."""
    return " ".join(CODE.sub("code", words).split())


@cache
def _type_names() -> frozenset[str]:
    """The names of all types: a string that is one of them is no label."""
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    named = re.compile(r"^\s*(?:class |type )(\w+)|^([A-Z]\w+)(?:: TypeAlias)? = ", re.MULTILINE)
    return frozenset(name for source in sources for one in named.findall(source) for name in one if name)


def _is_name(words: str) -> bool:
    """Whether a string is a name for machines: one word that is no label, or SQL."""
    one = words.strip()
    if SQL.match(words):
        return True
    return " " not in one and (not re.fullmatch(r"[A-Z][a-z]+[.…:]?", one) or one in _type_names())


def _written(node: ast.Constant | ast.JoinedStr) -> str:
    """The text of a string in a source, with a number for each value that is put into it; nothing for other constants."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return "".join(_written(part) if isinstance(part, ast.Constant) else "0" for part in node.values)


def _is_pattern(node: ast.Call) -> bool:
    """Whether a call takes a regular expression."""
    return isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.func.value.id == "re"


def _strings(node: ast.AST) -> Iterator[Text]:
    """The strings of a source that are more than names, docstrings among them."""
    if isinstance(node, ast.Call) and _is_pattern(node):
        return
    if isinstance(node, ast.Constant | ast.JoinedStr) and not _is_name(words := _written(node)):
        yield Text(node.lineno, words)
    for child in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant)):
            yield from _strings(child)


def labels(path: Path) -> Iterator[Text]:
    """Yield the strings of a source that people may see on screen or paper: all but docstrings and names."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {
        node.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }
    yield from (Text(text.line, _plain(text.words)) for text in _strings(tree) if text.words not in skipped)


def _comments(source: str) -> Iterator[Text]:
    """The comments of a source; lines that follow one another are one text."""
    begins, ends, words = 0, -1, ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        if token.start[0] != ends + 1 or not token.line.lstrip().startswith("#"):
            if words:
                yield Text(begins, words)
            begins, words = token.start[0], ""
        words, ends = f"{words} {token.string.lstrip('#')}", token.start[0]
    if words:
        yield Text(begins, words)


def _python(source: str) -> Iterator[Text]:
    yield from _strings(ast.parse(source))
    yield from _comments(source)


def _typescript(source: str) -> Iterator[Text]:
    """The comments of a source of the page; what people see of it is in its catalogue."""
    for number, line in enumerate(source.splitlines(), 1):
        yield from (Text(number, found[0].strip("/* ")) for found in SCRIPT_COMMENT.finditer(line))


def _prose(source: str) -> Iterator[Text]:
    """The paragraphs, items of lists, headings and cells of tables in a document, without its blocks of code."""
    begins, words, inside = 0, "", False
    for number, line in enumerate([*source.splitlines(), ""], 1):
        fence = line.lstrip().startswith("```")
        if words and (fence or inside or not line.strip() or NEW_TEXT.match(line)):
            yield Text(begins, words)
            words = ""
        inside ^= fence
        if line.startswith("|") and not inside:
            yield from (Text(number, cell) for cell in line.split("|") if cell.strip())
        elif line.strip() and not inside and not fence:
            begins, words = (begins, f"{words} {line}") if words else (number, line)


def _markdown(source: str) -> Iterator[Text]:
    """The prose of a document, and the comments in its blocks of code."""
    yield from _prose(source)
    block = None
    for number, line in enumerate(source.splitlines(), 1):
        if fence := re.match(r"\s*```(\w*)", line):
            block = fence.group(1) if block is None else None
        elif block is not None:
            yield Text(number, line.partition("#")[2] if block in HASH_COMMENTS else re.sub(r"\"\w+\"|--\S+", "", line))


def long_sentences(path: Path, words_max: int) -> Iterator[Text]:
    """Yield the sentences of a document that have more words.

    Code is one word, and so is a list of codes; a link counts without its address. A cell of a table lists things,
    which a semicolon parts.
    """
    source = path.read_text(encoding="utf-8")
    lines = source.splitlines()
    for text in _prose(source):
        words = re.sub(r"\]\([^)]*\)|[*\[\]]|<!--|-->", "", _plain(text.words.lstrip(" -*>#0123456789.")))
        words = re.sub(r"\bcode(,? (and |or )?code\b)+", "codes", words)
        parts = words.split("; ") if lines[text.line - 1].startswith("|") else [words]
        yield from (Text(text.line, one) for part in parts for one in sentences_over(words_max, part))


def _template(source: str) -> Iterator[Text]:
    """The lines of a template without what is put into them."""
    for number, line in enumerate(source.splitlines(), 1):
        yield Text(number, re.sub(r"\{\{.*?\}\}|\{%.*?%\}|<[^>]*>|#?\b\w+(\.\w+)+|#\w+(\([^)]*\))?", " ", line))


def _catalogue(source: str) -> Iterator[Text]:
    """The texts of a catalogue, which is one object of texts by key, without the names of the values put into them."""
    for number, words in enumerate(json.loads(source).values(), 2):
        yield Text(number, re.sub(r"\{\w+", "{", words))


def texts_of(path: Path) -> Iterator[Text]:
    """Yield the texts of a file that a person reads."""
    source = path.read_text(encoding="utf-8")
    readers = {".py": _python, ".md": _markdown, ".jinja": _template, ".typ": _template, ".json": _catalogue}
    readers |= dict.fromkeys((".ts", ".tsx", ".mjs"), _typescript)
    for text in readers[path.suffix](source):
        yield Text(text.line, _plain(text.words))


def files_of(*paths: str) -> list[Path]:
    """Return the files with texts at some paths from the repository's root, folders with all below them."""
    found: list[Path] = []
    for path in (ROOT / one for one in paths):
        assert path.exists(), f"expected a file or a folder of the repository, got {path}"
        inside = sorted(path.rglob("*")) if path.is_dir() else [path]
        found += [one for one in inside if one.suffix in SUFFIXES or one.name == "en.json"]
    return [one for one in found if not {"node_modules", "__pycache__", "generated"} & set(one.relative_to(ROOT).parts)]


def avoided(*paths: str) -> list[str]:
    """Return the words at some paths that the guide avoids, each with its place and the words about it."""
    return [
        f"{name}:{text.line}: '{hit.group()}' in: {text.words[max(hit.start() - 60, 0) : hit.end() + 60]}"
        for file in files_of(*paths)
        if (name := file.relative_to(ROOT).as_posix()) not in EXCEPTED
        for text in texts_of(file)
        for hit in ANY.finditer(text.words)
    ]


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in avoided(*sys.argv[1:]))
