"""What stands where, by means the offline model does not use: Pygments for tokens, Python's ast for its imports.

Reads one JSON object {"root": ..., "name": ..., "places": [[path, line], ...]} a line, writes one list a line:
for each place "code", "quiet" (comment, string), "import" or "other" (a file without a lexer).
"""

import ast
import json
import os
import re
import sys

from pygments.lexers import get_lexer_for_filename
from pygments.token import Comment, Literal, String
from pygments.util import ClassNotFound

lexed = {}


def read(root, path):
    key = (root, path)
    if key not in lexed:
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            text = file.read().replace("\r\n", "\n")
        try:
            name = re.sub(r"\.[cm]ts$", ".ts", re.sub(r"\.[cm]js$", ".js", path))
            lexer = get_lexer_for_filename(name, stripnl=False, ensurenl=False)
            tokens = [(at, kind) for at, kind, _ in lexer.get_tokens_unprocessed(text)]
        except ClassNotFound:
            tokens = None
        lexed[key] = (text, tokens, imports_of(path, text))
        while len(lexed) > 300:
            lexed.pop(next(iter(lexed)))
    return lexed[key]


def imports_of(path, text):
    if path.endswith(".py"):
        try:
            return {
                line
                for node in ast.walk(ast.parse(text))
                if isinstance(node, (ast.Import, ast.ImportFrom))
                for line in range(node.lineno, node.end_lineno + 1)
            }
        except SyntaxError:
            return set()
    found, inside = set(), None
    ends = {
        "js": (r"\s*(import\b(?!\s*\()|export\s*(type\s*)?[{*]|export\s+default\s+[\w.]+;?\s*$)", r"[;]|from\s|['\"]|^\s*\}|default"),
        "rs": (r"\s*(pub(\(.*?\))?\s+)?use\b", r";"),
        "java": (r"\s*(import|package)\b", r";"),
        "go": (r"import\b", r"\)|^import\s+[^(]"),
        "c": (r"\s*#\s*include", r""),
    }
    kind = re.sub(r"^[cm]?[jt]sx?$", "js", path.rsplit(".", 1)[-1])
    if kind not in ends:
        return found
    start, end = ends[kind]
    for number, line in enumerate(text.split("\n"), 1):
        if inside or re.match(start, line):
            inside = not re.search(end, line)
            found.add(number)
        elif kind == "js" and re.match(r"\s*(const|let|var)\s.*=\s*require\(", line):
            found.add(number)
    return found


def kind_of(root, name, path, number):
    text, tokens, imports = read(root, path)
    if tokens is None:
        return "other"
    if number in imports:
        return "import"
    lines = text.split("\n")
    start = sum(len(line) + 1 for line in lines[: number - 1])
    line = lines[number - 1] if number <= len(lines) else ""
    # Minified: of no use to anyone who asks.
    if len(line) > 1000:
        return "other"
    quiet = True
    for match in re.finditer(r"(?<!\w)" + re.escape(name) + r"(?!\w)", line):
        kind = token_at(tokens, start + match.start())
        if not (kind in Comment and kind not in Comment.Preproc or kind in Comment.PreprocFile or kind in String or kind in Literal.String):
            quiet = False
    return "quiet" if quiet else "code"


def token_at(tokens, offset):
    low, high = 0, len(tokens)
    while high - low > 1:
        middle = (low + high) // 2
        if tokens[middle][0] <= offset:
            low = middle
        else:
            high = middle
    return tokens[low][1]


for request in map(json.loads, sys.stdin):
    answers = [kind_of(request["root"], request["name"], path, line) for path, line in request["places"]]
    print(json.dumps(answers), flush=True)
