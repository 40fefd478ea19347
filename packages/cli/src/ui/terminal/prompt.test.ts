import { expect, test } from "vitest";
import { insert, wholeText } from "./draft.ts";
import { emptyPrompt, offered, pasted, pressed, typed, type Prompt, type Effect } from "./prompt.ts";
import { see, status } from "./screen.testing.ts";

const history = ["first", "second\nline", "third"];
const around = { history, width: 20 };

/** What keys and text make of an empty prompt: the draft with its cursor, and its effects. */
function after(...keys: string[]): { draft: string; effects: Effect[] } {
  const effects: Effect[] = [];
  let prompt: Prompt = emptyPrompt;
  for (const key of keys) {
    const next = key.startsWith("=") ? typed(prompt, key.slice(1), around) : pressed(prompt, key, around);
    if (next === undefined) continue;
    prompt = next.prompt;
    if (next.effect !== undefined) effects.push(next.effect);
  }
  return { draft: wholeText(insert(prompt.buffer.draft, "|")), effects };
}

const enter = (text: string, when: "now" | "later" = "now"): Effect => ({ type: "enter", text, when });

test.each<[string[], string, Effect[]]>([
  [["=hello", "enter"], "|", [enter("hello")]],
  [["=hello", "alt+enter"], "|", [enter("hello", "later")]],
  [["=one\\", "enter", "=two", "enter"], "|", [enter("one\ntwo")]],
  [["=one", "shift+enter", "=two"], "one\ntwo|", []],
  [["=  ", "enter"], "  |", []],
  [["up", "up"], "second\nline|", []],
  [["up", "up", "up", "up", "up"], "first|", []],
  [["=draft", "ctrl+p", "ctrl+n"], "draft|", []],
  [["=draft", "ctrl+r", "=SEC", "enter"], "second\nline|", []],
  [["ctrl+r", "=r", "ctrl+r", "enter"], "first|", []],
  [["=draft", "ctrl+r", "=third", "escape"], "draft|", []],
  [["ctrl+r", "=third", "left"], "thir|d", []],
  [["=draft", "ctrl+r", "=nothing", "enter"], "draft|", []],
  [["=/he"], "/he|", [{ type: "complete" }]],
  [["=see @s"], "see @s|", [{ type: "complete" }]],
  [["=a@b"], "a@b|", []],
  [["=x", "tab"], "x|", [{ type: "complete" }]],
])("%j", (keys, draft, effects) => {
  expect(after(...keys)).toEqual({ draft, effects });
});

test("a completion takes the place of what was typed; Enter on a whole name sends it", () => {
  const begun = typed(emptyPrompt, "see @sr", around).prompt;
  const items = [
    { from: 4, insert: "@src/a.ts ", label: "src/a.ts" },
    { from: 4, insert: "@src/b.ts ", label: "src/b.ts" },
  ];
  const second = pressed(offered(begun, items), "down", around)?.prompt ?? begun;
  expect(wholeText((pressed(second, "tab", around)?.prompt ?? begun).buffer.draft)).toBe("see @src/b.ts ");
  const named = offered(typed(emptyPrompt, "/help", around).prompt, [{ from: 0, insert: "/help ", label: "/help" }]);
  expect(pressed(named, "enter", around)?.effect).toEqual(enter("/help"));
  expect(pressed(named, "escape", around)?.prompt.popup).toBeUndefined();
});

test("five thousand entries are searched at every key", () => {
  const history = Array.from({ length: 5_000 }, (_, n) => `entry ${n} ${"x".repeat(100)}`);
  let prompt: Prompt = pressed(emptyPrompt, "ctrl+r", { history, width: 80 })?.prompt ?? emptyPrompt;
  for (const letter of "entry 17 ") prompt = typed(prompt, letter, { history, width: 80 }).prompt;
  expect(prompt.search?.at).toBe(17);
});

test("a paste closes what was open and is sent whole", () => {
  const open = pressed(emptyPrompt, "ctrl+r", around)?.prompt ?? emptyPrompt;
  const lines = "line\n".repeat(100);
  const { prompt } = pasted(open, lines);
  expect(pressed(prompt, "enter", around)?.effect).toEqual(enter(lines));
});

test("on the screen: completions below the draft, a search in its place, the cursor where one types", async () => {
  const items = [
    { from: 0, insert: "/help ", label: "/help", note: "this list" },
    { from: 0, insert: "/undo ", label: "/undo" },
  ];
  const t = see({ person: { complete: async () => items, history: () => history } });
  await t.type("/");
  expect((await t.shown()).split("\n").slice(-3)).toEqual(["› /", "❯ /help  this list", "  /undo"]);
  await t.type("\u001b[B", "\t");
  expect((await t.shown()).split("\n").slice(-1)).toEqual(["› /undo"]);
  await t.type("\u0012", "sec");
  expect((await t.shown()).split("\n").slice(-3)).toEqual(["  second", "  line", "  search: sec"]);
  await t.type("日本");
  expect((await t.cursor()).x).toBe("  search: sec".length + 4);
  await t.type("\u007f", "\u007f");
  await t.type("\r", "東京都xyz", "\u001b[D\u001b[D\u001b[D", "、");
  expect((await t.shown()).split("\n").slice(-2)).toEqual(["› second", "  line東京都、xyz"]);
  expect((await t.cursor()).x).toBe(2 + "line".length + 8);
});

test("Ctrl+C clears, then warns, then leaves; Ctrl+D leaves where nothing is written", async () => {
  const t = see({ person: { interrupt: () => false } });
  await t.type("words", "\u0004", "\u0003");
  expect((await t.shown()).endsWith("›")).toBe(true);
  await t.type("\u0003");
  expect(t.told).toEqual([]);
  await t.type("\u0003", "\u0004");
  expect(t.told).toEqual(["leave", "leave"]);
});

test("Ctrl+C that ends a turn is not the first of the two that leave", async () => {
  let runs = true;
  const t = see({ person: { interrupt: () => runs && !(runs = false) } });
  t.screen.setStatus(status);
  await t.type("\u0003", "\u0003");
  expect(await t.shown()).toContain("Ctrl+C again leaves.");
  expect(t.told).toEqual([]);
});

test("what is given back stands in front of what is being written", async () => {
  const t = see();
  await t.type("half a thought", "\u001b[D");
  t.screen.draft("what waited");
  await t.type("!");
  expect((await t.shown()).split("\n").slice(-2)).toEqual(["› what waited", "  half a though!t"]);
});

test("what waits is taken back with the arrow up", async () => {
  const t = see({ person: { retract: () => "waited" } });
  t.screen.setStatus({ ...status, working: true, queued: ["waited"] });
  await t.type("\u001b[A", "\u001b[Z", "\u001b");
  expect((await t.shown()).endsWith("› waited")).toBe(true);
  expect(t.told).toEqual(["mode", "interrupt"]);
});
