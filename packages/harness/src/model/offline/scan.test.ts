import { expect, test } from "vitest";
import { languageOf } from "./language.ts";
import { languages } from "./languages.ts";
import { codeOf, maskOf } from "./scan.ts";

/** What remains of a text once comments and strings are blanked, blanks as dots. */
function code(path: string, text: string): string {
  const language = languageOf(path, languages);
  if (language === undefined) throw new Error(`No language for ${path}.`);
  return codeOf(text, maskOf(text, language)).text.replaceAll(" ", ".");
}

test.each([
  ["a line comment", "a.ts", "a // b\nc", "a.....\nc"],
  ["a block comment over lines", "a.ts", "a /* b\n b */ c", "a.....\n......c"],
  ["an escape in a string", "a.ts", '"a\\"b" c', ".......c"],
  ["a string that is never closed ends with its line", "a.ts", "'a\nb", "..\nb"],
  ["a block comment that is never closed runs to the end", "a.ts", "a /* b\nc", "a.....\n."],
  ["code inside a template", "a.ts", "`a ${b + `c ${d}`} e` f", ".....b.+......d.......f"],
  ["braces inside a template's code", "a.ts", "`${ {a: {}} } b` c", "....{a:.{}}......c"],
  ["a regular expression", "a.ts", "a = /[/'\"]\\//g; b", "a.=...........;.b"],
  ["a division", "a.ts", "a / b / 'c'", "a./.b./...."],
  ["a closing tag is no regular expression", "a.tsx", "<b>{c}</b> </i> 'd'", "<b>{c}</b>.</i>...."],
  ["a string over lines", "a.py", 'a = """b\n"c\\"""" d', "a.=.....\n........d"],
  ["code inside a formatted string", "a.py", 'f"a {b!r:>{c}} {{d}}" e', ".....b!r:>{c}.........e"],
  ["a prefix of a string", "a.py", "rb'a\\' b", "rb......"],
  ["a raw string", "a.go", "a := `b\\`; c", "a.:=.....;.c"],
  ["nested comments", "a.rs", "/* a /* b */ c */ d", "..................d"],
  ["a raw string with hashes", "a.rs", 'r##"a "# b"## c', "..............c"],
  ["a lifetime is no character", "a.rs", "&'a x '\\'' '\"' y", "&'a.x..........y"],
  ["a text block", "A.java", 'a = """\n b " c\n """; d', "a.=....\n......\n....;.d"],
  ["a digit separator", "a.cc", "1'000'000 'a'", "1'000'000...."],
  ["a raw string with a delimiter", "a.cc", 'R"x(a )" b)x" c', "..............c"],
  ["the name of an included file", "a.c", "#include <a.h>\nb", "#include......\nb"],
])("%s", (_, path, text, expected) => {
  expect(code(path, text)).toBe(expected);
});

test("a mask is as long as its text, whatever the text", () => {
  const parts = ["`", "${", "}", '"', "'", "/*", "*/", "//", "\n", "\\", 'r#"', '"#', "a", "/", "{", "f'"];
  for (const language of languages) {
    for (let seed = 1; seed <= 300; seed++) {
      const text = Array.from({ length: 12 }, (_, i) => parts[(seed * (i + 3) * 7 + i * i) % parts.length]).join("");
      expect(maskOf(text, language)).toHaveLength(text.length);
    }
  }
});
