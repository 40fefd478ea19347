import { expect, test } from "vitest";
import { shellParts } from "./parts.ts";

const unknown = { single: false, operand: false };

test("a text falls into its commands, variables and redirections, wherever they stand", () => {
  expect(shellParts(`A=1 g\\it log "$(r''m -x)" *.ts >out | cat`, "bash")).toEqual([
    {
      kind: "command",
      text: `A=1 g\\it log "$(r''m -x)" *.ts >out`,
      words: ["git", "log", { single: true, operand: false }, unknown],
    },
    { kind: "variable", text: `A=1 g\\it log "$(r''m -x)" *.ts >out`, name: "A", exported: true },
    { kind: "command", text: "r''m -x", words: ["rm", "-x"] },
    { kind: "redirect", text: ">out", writes: true, target: "out" },
    { kind: "command", text: "cat", words: ["cat"] },
  ]);
});

test("parts within backticks within backticks stand as bash reads them", () => {
  expect(shellParts("echo `echo \\`rm a\\``", "bash").map(({ text }) => text)).toEqual([
    "echo `echo \\`rm a\\``",
    "echo `rm a`",
    "rm a",
  ]);
});

test("a word that bash expands is known to be one or to be no option where that is sure", () => {
  const [part] = shellParts(`a "$x" "a$x" a$x a* {a,b} a{b,c} "$@" "a\${x[@]}" ~/a <(b) $'a' "-$x" ''$x`, "bash");
  expect(part?.kind === "command" ? part.words : []).toEqual([
    "a",
    { single: true, operand: false },
    { single: true, operand: true },
    unknown,
    { single: false, operand: true },
    unknown,
    { single: false, operand: true },
    unknown,
    unknown,
    { single: true, operand: true },
    { single: true, operand: true },
    "a",
    { single: true, operand: false },
    unknown,
  ]);
});

test("what sh reads otherwise than bash is a hazard for sh alone", () => {
  const texts = [
    "[[ a && rm ]]",
    "((rm a))",
    "a {b,c}",
    "a $'b'",
    "a=(b)",
    "a <<< b",
    "a <(b)",
    "select a; do b; done",
  ];
  const hazards = (text: string, dialect: "bash" | "sh"): number =>
    shellParts(text, dialect).filter((part) => part.kind === "hazard" && part.hazard.decision === "ask").length;
  expect(texts.filter((text) => hazards(text, "sh") === 0)).toEqual([]);
  expect(texts.filter((text) => hazards(text, "bash") > 0)).toEqual([]);
});
