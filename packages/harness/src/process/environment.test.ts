import { expect, test } from "vitest";
import { commandEnvironment } from "./environment.ts";

test("keys and tokens are not handed on, nor anything else without a name here", () => {
  const user = {
    PATH: "/usr/bin",
    HOME: "/home/me",
    ANTHROPIC_API_KEY: "k",
    AWS_SECRET_ACCESS_KEY: "k",
    NODE_OPTIONS: "x",
    BASH_ENV: "x",
    LD_PRELOAD: "x",
    SSH_AUTH_SOCK: "/run/agent",
  };
  const env = commandEnvironment(user);
  expect(Object.entries(env).filter(([name]) => name in user)).toEqual([
    ["HOME", "/home/me"],
    ["PATH", "/usr/bin"],
  ]);
});

test("what leaves the sandbox also reaches the user's agents", () => {
  const user = { SSH_AUTH_SOCK: "/run/agent", DOCKER_HOST: "unix:///run/docker.sock", SSH_ASKPASS: "/usr/bin/ask" };
  const { SSH_AUTH_SOCK, DOCKER_HOST, SSH_ASKPASS } = commandEnvironment(user, { outside: true });
  expect({ SSH_AUTH_SOCK, DOCKER_HOST, SSH_ASKPASS }).toEqual({ ...user, SSH_ASKPASS: undefined });
});

test("what the user has set about pagers and questions is replaced, empty values are none, a locale is kept", () => {
  const { PAGER, CI, TZ, LANG } = commandEnvironment({ PAGER: "less", CI: "", TZ: "", LANG: "de_DE.UTF-8" });
  expect({ PAGER, CI, TZ, LANG }).toEqual({ PAGER: "cat", CI: "1", TZ: undefined, LANG: "de_DE.UTF-8" });
  expect(commandEnvironment({})["LANG"]).toBe("C.UTF-8");
});

test("PATH holds only folders of the system", () => {
  const path = ":.:bin:/work/node_modules/.bin:/work/node_modules/.bin/:/usr/bin::/bin";
  expect(commandEnvironment({ PATH: path })["PATH"]).toBe("/usr/bin:/bin");
  expect(commandEnvironment({ PATH: "." })["PATH"]).toBe("/usr/local/bin:/usr/bin:/bin");
});
