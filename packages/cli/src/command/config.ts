/** `croft config`: what is set and where, where the files are, and consent to what a project asks for. */

import { codeBudget } from "@croft/harness";
import { parseArguments } from "../arguments.ts";
import { trust } from "../config/consent.ts";
import { projectConfigPath, userConfigPath } from "../config/file.ts";
import { loadSettings, noticeOf } from "../config/load.ts";
import { currentFolder, projectRoot } from "../config/root.ts";
import { rowsOf, rowsOfEnvironment, rowsOfSettings, type Row } from "../config/rows.ts";
import { configJsonSchema } from "../config/schema.ts";
import type { Io } from "../io.ts";
import { escapeLine } from "../ui/escape.ts";
import { jsonLine } from "../ui/json.ts";
import { UsageError } from "../usage.ts";

const options = { dir: { type: "string", short: "C" }, json: { type: "boolean" } } as const;

/** As many digits of a hash tell which file was looked at, also from one that was made to look the same. */
const shownDigits = 32;

/** `root`: undefined in the home folder, where there are settings and no project. `word`: what stands behind the action. */
type Asked = { root: string | undefined; word: string | undefined; json: boolean };
type Action = (asked: Asked, io: Io) => number | Promise<number>;

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ["show", show],
  ["path", paths],
  ["trust", trustProject],
  ["schema", schema],
]);

/** Shows the settings (no word), or does what the word says. The exit code. Throws UsageError. */
export async function config(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseArguments("config", args, options);
  const [name = "show", word, ...more] = positionals;
  const action = actions.get(name);
  if (action === undefined || more.length > 0 || (word !== undefined && name !== "trust")) {
    throw new UsageError(
      "E_ARGUMENTS",
      `There is no croft config ${positionals.join(" ")}.`,
      "See croft config --help.",
    );
  }
  const root = projectRoot({ asked: values.dir, cwd: currentFolder(), home: io.environment.home });
  return action({ root, word, json: values.json === true }, io);
}

async function show({ root, json }: Asked, io: Io): Promise<number> {
  const { environment } = io;
  const { settings, widening } = await loadSettings({ root, environment, usual: codeBudget });
  const { settings: asking } = await loadSettings({ root, environment });
  const all = rowsOfSettings(settings, environment);
  const rows = [...withOther(all, rowsOfSettings(asking, environment)), ...rowsOfEnvironment(settings, environment)];
  const ignored = widening === undefined || widening.trusted ? [] : rowsOf(widening);
  if (json) return print(io, jsonLine({ settings: rows, ignored }));
  const notice = noticeOf(widening);
  if (notice !== undefined) io.err.write(`${escapeLine(notice)}\n`);
  return print(io, rows.map(lineOf).join(""));
}

/** Of a default that is another one for `croft ask`, both. */
function withOther(rows: readonly Row[], asking: readonly Row[]): Row[] {
  const others = new Map(asking.map(({ key, value }) => [key, value]));
  return rows.map((row) => {
    const other = others.get(row.key);
    if (row.from !== "default" || row.value === other || !row.key.startsWith("budget.")) return row;
    return { ...row, from: `default; croft ask: ${other === undefined ? "none" : JSON.stringify(other)}` };
  });
}

function schema(_: Asked, io: Io): number {
  return print(io, `${JSON.stringify(configJsonSchema(), undefined, 2)}\n`);
}

function paths({ root, json }: Asked, io: Io): number {
  const user = userConfigPath(io.environment.configHome);
  const project = root === undefined ? undefined : projectConfigPath(root);
  if (json) return print(io, jsonLine({ user, project }));
  return print(io, [user, project].map((path) => `${escapeLine(path ?? "(none)")}\n`).join(""));
}

/**
 * Consent in two steps: first what the file asks for and its hash, then, with that hash, the record. So what is agreed
 * to is what was seen, with no terminal needed, and a file that changed in between is not agreed to.
 */
async function trustProject({ root, word }: Asked, io: Io): Promise<number> {
  const { widening } = await loadSettings({ root, environment: io.environment });
  if (root === undefined || widening === undefined)
    return print(io, "This project asks for nothing that needs your consent.\n");
  const { hash } = widening;
  const digits = hash.slice(0, shownDigits);
  if (word === undefined) {
    const asked = rowsOf(widening).map(lineOf).join("");
    const next = widening.trusted
      ? "You have agreed to this."
      : `To agree to it, as it is now: croft config trust ${digits}`;
    return print(io, `${escapeLine(projectConfigPath(root))} asks for:\n\n${asked}\n${next}\n`);
  }
  if (word.length < shownDigits || !hash.startsWith(word)) {
    const remedy = "Look at what it asks for: croft config trust.";
    throw new UsageError("E_CHANGED", `The file is not the one that ${JSON.stringify(word)} stands for.`, remedy);
  }
  trust(io.environment.stateHome, root, hash);
  return print(io, "Agreed. When the file changes, you will be asked again.\n");
}

/** `model = openai/x (~/.config/croft/config.jsonc:3)`. */
function lineOf({ key, value, from }: Row): string {
  return `${escapeLine(`${key} = ${typeof value === "string" ? value : JSON.stringify(value)} (${from})`)}\n`;
}

function print(io: Io, text: string): number {
  io.out.write(text);
  return 0;
}
