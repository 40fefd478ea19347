import { isAbsolute } from "node:path";
import { expect, test } from "vitest";
import { readEnvironment } from "./environment.ts";

test("variables are read, blanks around them dropped", () => {
  const {
    variable,
    all: _,
    ...read
  } = readEnvironment({
    ANTHROPIC_API_KEY: " key\n",
    HOME: "/home/me",
    PATH: "/bin",
    XDG_STATE_HOME: "/state",
    NO_COLOR: "1",
    CROFT_DEBUG: "1",
  });
  expect([read, variable("ANTHROPIC_API_KEY")]).toEqual([
    {
      home: "/home/me",
      configHome: "/home/me/.config",
      stateHome: "/state",
      cacheHome: "/home/me/.cache",
      path: "/bin",
      noColor: true,
      debug: true,
    },
    "key",
  ]);
});

test("an empty or blank variable counts as unset, and so does a relative XDG folder", () => {
  const {
    variable,
    all: _,
    ...read
  } = readEnvironment({
    A: "",
    B: " ",
    HOME: "/h",
    XDG_STATE_HOME: "s",
    XDG_CONFIG_HOME: ".",
    NO_COLOR: "",
  });
  expect([read, variable("A"), variable("B"), variable("C"), variable("toString")]).toEqual([
    {
      home: "/h",
      configHome: "/h/.config",
      stateHome: "/h/.local/state",
      cacheHome: "/h/.cache",
      path: undefined,
      noColor: false,
      debug: false,
    },
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("a dumb terminal gets no colour", () => {
  expect(readEnvironment({ HOME: "/h", TERM: "dumb" }).noColor).toBe(true);
});

test("a relative HOME is no home: state would land in the folder croft is started in", () => {
  const { home, stateHome, cacheHome } = readEnvironment({ HOME: "elsewhere" });
  expect([home, stateHome, cacheHome].filter((path) => path !== undefined && !isAbsolute(path))).toEqual([]);
});

test("nothing is kept in the file systems of the kernel: to make a folder there, Node tries without end", () => {
  const { configHome, stateHome, cacheHome } = readEnvironment({
    HOME: "/proc/1",
    XDG_STATE_HOME: "/proc/x",
    XDG_CACHE_HOME: "/tmp/../sys//x",
  });
  expect([configHome, stateHome, cacheHome]).toEqual([undefined, undefined, undefined]);
  expect(readEnvironment({ HOME: "/procession" }).stateHome).toBe("/procession/.local/state");
});
