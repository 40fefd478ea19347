import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { asFailure } from "@croft/harness";
import { readEnvironment } from "./environment.ts";
import { assertApart, ownRules } from "./own-places.ts";

let base: string;
let root: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "croft-own-")));
  root = join(base, "project");
  mkdirSync(join(root, "state[1]"), { recursive: true });
  symlinkSync(join(root, "state[1]"), join(base, "link"));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function refusal(variables: Record<string, string>): string | undefined {
  try {
    assertApart(root, readEnvironment({ HOME: base, ...variables }));
    return undefined;
  } catch (thrown) {
    return asFailure(thrown).message;
  }
}

test("what croft keeps for itself does not lie in a project, whatever link leads there and whether it is there yet", () => {
  const said = (path: string): string => `croft would keep what is its own in ${path}/croft, within the project.`;
  expect([
    refusal({ XDG_STATE_HOME: join(root, "new/deep") }),
    refusal({ XDG_CACHE_HOME: root }),
    refusal({ XDG_STATE_HOME: join(base, "link") }),
    refusal({ XDG_STATE_HOME: `${root}-state`, XDG_CACHE_HOME: join(base, "cache") }),
    refusal({}),
  ]).toEqual([said(join(root, "new/deep")), said(root), said(join(base, "link")), undefined, undefined]);
});

test("a configuration of croft's in the project is not the model's to write", () => {
  const rules = (configHome: string): unknown => ownRules(root, readEnvironment({ XDG_CONFIG_HOME: configHome }));
  const rule = { name: "croft's own configuration", access: ["write"], decision: "deny" };
  expect([rules(join(base, "link")), rules(join(root, "etc")), rules(base)]).toEqual([
    [{ ...rule, globs: [String.raw`/state\[1]/croft`] }],
    [{ ...rule, globs: ["/etc/croft"] }],
    [],
  ]);
});
