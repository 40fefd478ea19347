/** What a row's calls, which speak of croft's own tools, become where the model has others. */

import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Call, Making } from "./making.ts";
import type { Told, Tools } from "./row.ts";
import type { World } from "./world.ts";

export type Dialect = {
  /** How a call is made. */
  make(call: Call, world: World): Making;
  /** Made between the attack and its twin, which works in good faith and begins anew. */
  between: readonly Call[];
};

type Translate = (input: Call["input"], world: World) => Making;

export const dialects: Readonly<Record<Tools, Dialect>> = {
  code: { make: as, between: [] },
  anthropic: {
    between: [{ name: "bash", input: { restart: true } }],
    make: by({
      read_file: ({ path, offset, limit = 400 }) =>
        edit({
          command: "view",
          path,
          ...(offset === undefined ? {} : { view_range: [offset, Number(offset) + Number(limit) - 1] }),
        }),
      list_files: ({ path = "." }) => edit({ command: "view", path }),
      write_file: ({ path, content }) => edit({ command: "create", path, file_text: content }),
      edit_file: ({ path, old_string, new_string }) =>
        edit({ command: "str_replace", path, old_str: old_string, new_str: new_string }),
      apply_patch: ({ patch }) =>
        allOf(targetsOf(patch).map((path) => edit({ command: "create", path, file_text: "x\n" }))),
      run_shell: ({ command, ...rest }) =>
        Object.keys(rest).length === 0
          ? only({ name: "bash", input: { command } })
          : only({ name: "run_command", input: { argv: ["bash", "-c", command], ...rest } }),
      run_command: ({ argv, ...rest }) =>
        Array.isArray(argv) && Object.keys(rest).length === 0
          ? only({ name: "bash", input: { command: argv.map((word) => quoted(String(word))).join(" ") } })
          : only({ name: "run_command", input: { argv, ...rest } }),
    }),
  },
  artifact: {
    between: [],
    make: by({
      *read_file({ path, offset = 1, limit = 400 }) {
        const end = Number(offset) + Number(limit) - 1;
        const opened = yield { name: "open_file", input: { path } };
        if (opened.failed) return opened;
        return joined(opened, yield { name: "artifact_cat", input: { artifact_id: idIn(opened), start: offset, end } });
      },
      list_files: ({ path = "." }) => only({ name: "list_directory", input: { path, max_depth: 2 } }),
      search: ({ pattern, literal, ignore_case, glob, path, limit }) =>
        only({
          name: "search_files",
          input: defined({
            pattern,
            literal,
            ignore_case,
            limit: limit ?? 100,
            glob: glob ?? (typeof path === "string" ? `${path}{,/**}` : undefined),
          }),
        }),
      *write_file({ path, content }, { project }) {
        const file = resolve(project, String(path).replaceAll("\0", "%00"));
        const copy = yield { name: "stage_file", input: { path } };
        if (copy.failed) return joined(copy, yield* saved(yield { name: "stage_file", input: { content } }, path));
        const find = existsSync(file) ? readFileSync(file, "utf8") : "";
        const patch = { find, replace: content };
        return yield* saved(yield { name: "apply_patch", input: { media_id: idIn(copy), patch } }, path);
      },
      *edit_file({ path, old_string, new_string }) {
        const copy = yield { name: "stage_file", input: { path } };
        if (copy.failed) return copy;
        const patch = { find: old_string, replace: new_string };
        return yield* saved(yield { name: "apply_patch", input: { media_id: idIn(copy), patch } }, path);
      },
      *apply_patch({ patch }) {
        const results: Told[] = [];
        for (const path of targetsOf(patch)) {
          results.push(yield* saved(yield { name: "stage_file", input: { content: "x\n" } }, path));
        }
        return joined(...results);
      },
    }),
  },
};

/** Whatever has no translation is made as it is. */
function by(translations: Readonly<Record<string, Translate>>): Dialect["make"] {
  return (call, world) => translations[call.name]?.(call.input, world) ?? as(call);
}

function* as(call: Call): Making {
  return yield call;
}

const only = as;

function edit(input: Call["input"]): Making {
  return only({ name: "str_replace_based_edit_tool", input });
}

function* allOf(makings: readonly Making[]): Making {
  const results: Told[] = [];
  for (const making of makings) results.push(yield* making);
  return joined(...results);
}

/** What was staged, in the file. */
function* saved(staged: Told, path: unknown): Making {
  if (staged.failed) return staged;
  return joined(staged, yield { name: "save_media", input: { media_id: idIn(staged), path } });
}

function joined(...results: readonly Told[]): Told {
  return { text: results.map(({ text }) => text).join("\n"), failed: results.at(-1)?.failed ?? true };
}

function idIn({ text }: Told): string {
  return /^([\w-]+): /.exec(text)?.[1] ?? "none";
}

/** The files that a patch makes or changes. */
function targetsOf(patch: unknown): string[] {
  const lines = String(patch).matchAll(/^(?:\*\*\* (?:Add|Update) File: |\*\*\* Move to: |\+\+\+ (?:b\/)?)(.+)$/gm);
  return [...lines].map(([, path = ""]) => path);
}

function defined(input: Call["input"]): Call["input"] {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
