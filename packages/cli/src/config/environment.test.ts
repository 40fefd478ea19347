import { isAbsolute } from "node:path";
import { expect, test } from "vitest";
import { readEnvironment } from "./environment.ts";

test("variables are read, blanks around them dropped", () => {
  expect(
    readEnvironment({
      ANTHROPIC_API_KEY: " key\n",
      ANTHROPIC_BASE_URL: "http://localhost:1",
      HOME: "/home/me",
      PATH: "/bin",
      XDG_STATE_HOME: "/state",
      NO_COLOR: "1",
      CROFT_DEBUG: "1",
    }),
  ).toEqual({
    apiKey: "key",
    baseUrl: "http://localhost:1",
    home: "/home/me",
    stateHome: "/state",
    configHome: "/home/me/.config",
    cacheHome: "/home/me/.cache",
    path: "/bin",
    noColor: true,
    debug: true,
  });
});

test("an empty or blank variable counts as unset, and so does a relative XDG_STATE_HOME", () => {
  expect(
    readEnvironment({ ANTHROPIC_API_KEY: "", ANTHROPIC_BASE_URL: " ", HOME: "/h", XDG_STATE_HOME: "s", NO_COLOR: "" }),
  ).toEqual({
    apiKey: undefined,
    baseUrl: undefined,
    home: "/h",
    stateHome: "/h/.local/state",
    configHome: "/h/.config",
    cacheHome: "/h/.cache",
    path: undefined,
    noColor: false,
    debug: false,
  });
});

test("a dumb terminal gets no colour", () => {
  expect(readEnvironment({ HOME: "/h", TERM: "dumb" }).noColor).toBe(true);
});

test("a relative HOME is no home: state would land in the folder croft is started in", () => {
  const { home, stateHome, cacheHome } = readEnvironment({ HOME: "elsewhere" });
  expect([home, stateHome, cacheHome].filter((path) => path !== undefined && !isAbsolute(path))).toEqual([]);
});
