import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { once } from "node:events";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { needs } from "../../../../../test/support/needs.ts";
import { encloseProject, never, someRules } from "../../workspace/guard/enclosed.testing.ts";
import { Failure } from "../../error.ts";

const enclosed = test.runIf(process.platform === "linux" && needs("bwrap"));

enclosed("a command works in the project, at its own path, and what it writes stays", async () => {
  await using box = await encloseProject({ files: { "a.txt": "one\n", "sub/b.txt": "two\n" } });
  const { code, output } = await box.sh("pwd; cat ../a.txt b.txt; echo three > c.txt; id -u", { cwd: "sub" });
  expect({ code, output }).toEqual({ code: 0, output: `${box.root}/sub\none\ntwo\n${process.getuid?.()}` });
  expect(readFileSync(join(box.root, "sub/c.txt"), "utf8")).toBe("three\n");
});

enclosed(
  "nothing can be written but the project, /tmp and the home folder, and only the project keeps it",
  async () => {
    await using box = await encloseProject();
    const shared = `/tmp/${basename(box.root)}-${process.pid}`;
    const places = ["/usr/x", "/etc/x", "/x", "/dev/x", "/opt/x", shared, "$HOME/x", "$HOME/.bashrc", `${box.root}/x`];
    const { output } = await box.sh(
      places.map((place) => `echo x 2>/dev/null > "${place}" && echo "${place}"`).join("\n"),
    );
    const writable = [shared, "$HOME/x", "$HOME/.bashrc", `${box.root}/x`];
    expect(output).toBe(writable.join("\n").replaceAll("$HOME", box.home));
    expect(
      [join(box.home, ".bashrc"), join(box.outside, "canary.txt")].map((file) => readFileSync(file, "utf8")),
    ).toEqual(["# mine\n", "canary\n"]);
    expect([existsSync(shared), existsSync(join(box.home, "x"))]).toEqual([false, false]);
  },
);

enclosed("what of the project the PATH names is there as the policy says, and can be written beside it", async () => {
  const rules = [
    ...someRules,
    { name: "closed", globs: ["closed"], access: ["read", "write"], decision: "deny" } as const,
  ];
  const files = {
    "closed/bin/a.txt": "canary\n",
    "closed/lib/b.txt": "canary\n",
    "tools/bin/run": "",
    "tools/lib/c.txt": "",
  };
  await using box = await encloseProject({ files, rules, path: ["closed/bin", "tools/bin"] });
  const { output } = await box.sh(
    "cat closed/*/*.txt closed/bin/a.txt closed/lib/b.txt 2>/dev/null; echo d > tools/lib/d.txt && ls tools/lib",
  );
  expect(output).toBe("c.txt\nd.txt");
});

enclosed("the home folder and all beside the project are not there, whatever way leads to them", async () => {
  await using box = await encloseProject();
  const canary = join(box.outside, "canary.txt");
  symlinkSync(canary, join(box.root, "link"));
  const ways = [
    canary,
    "link",
    `/proc/self/root${canary}`,
    `/proc/1/root${canary}`,
    `/proc/self/cwd/../outside/canary.txt`,
  ];
  const { output } = await box.sh(
    `${ways.map((way) => `cat "${way}"`).join("; ")}; cat ~/.ssh/id_ed25519 ~/.cargo/credentials.toml /etc/shadow; ls -A ~`,
  );
  expect(output).toBe("");
});

enclosed("no process and no environment of croft can be seen", async () => {
  await using box = await encloseProject();
  process.env["CROFT_CANARY"] = "canary-in-the-environment";
  try {
    const { output } = await box.sh(
      'cat /proc/*/environ | tr "\\0" "\\n" | grep -c canary; for p in /proc/[0-9]*; do read -r name < $p/comm; echo $name; done',
    );
    expect(output).toBe("0\nsh\nbash");
  } finally {
    delete process.env["CROFT_CANARY"];
  }
});

enclosed("no descriptor that croft was started with leads out", async () => {
  await using box = await encloseProject();
  const program = fileURLToPath(new URL("../../../../../test/support/enclosure/inherited.ts", import.meta.url));
  // As a shell or an editor hands them on: a folder, and a file to write to.
  const start = `exec 77< "$1" 78>> "$1/canary.txt"; exec "$2" "$3"`;
  const options = { encoding: "utf8", cwd: box.root, env: { PATH: "/usr/bin:/bin" } } as const;
  const said = execFileSync("bash", ["--norc", "-c", start, "bash", box.outside, process.execPath, program], options);
  expect(JSON.parse(said)).toEqual({ code: 0, output: "ran", errors: "" });
  expect(readFileSync(join(box.outside, "canary.txt"), "utf8")).toBe("canary\n");
});

enclosed("the settings of the kernel cannot be written, as root either", async () => {
  await using box = await encloseProject();
  const before = readFileSync("/proc/sys/kernel/core_pattern", "utf8");
  const { output } = await box.sh(`
    for file in /proc/sys/kernel/core_pattern /proc/sysrq-trigger /proc/sys/vm/drop_caches; do
      if ( : >> $file ) 2>/dev/null; then echo "$file"; fi
    done`);
  expect(output).toBe("");
  expect(readFileSync("/proc/sys/kernel/core_pattern", "utf8")).toBe(before);
});

enclosed("what croft and bubblewrap run from cannot be overwritten", async () => {
  await using box = await encloseProject();
  const { output } = await box.sh(`for file in /proc/1/exe /proc/self/exe "${process.execPath}" /usr/bin/env; do
    if ( : >> "$file" ) 2>/dev/null; then echo "$file"; fi
  done`);
  expect(output).toBe("");
});

enclosed(
  "system calls that lead out are refused: tracing, mounts, namespaces, keys, terminal input, odd sockets",
  async () => {
    await using box = await encloseProject();
    const calls = {
      x64: {
        ptrace: "101, 0, 0, 0, 0",
        unshare: "272, 0x10000000",
        keyctl: "250, 0, 0",
        netlink: "41, 16, 3, 0",
        bpf: "321, 0, 0, 0",
      },
      arm64: {
        ptrace: "117, 0, 0, 0, 0",
        unshare: "97, 0x10000000",
        keyctl: "219, 0, 0",
        netlink: "198, 16, 3, 0",
        bpf: "280, 0, 0, 0",
      },
    }[process.arch === "arm64" ? "arm64" : "x64"];
    const tries = Object.entries(calls).map(
      ([name, call]) => `print "${name} ", syscall(${call}) < 0 ? 0 + $! : "done", "\\n";`,
    );
    const { output } = await box.sh(
      `perl -e '${tries.join(" ")} my $key = "x"; ioctl(STDIN, 0x5412, $key); print "terminal ", 0 + $!, "\\n";'`,
    );
    const EPERM = 1;
    expect(output).toBe([...Object.keys(calls), "terminal"].map((name) => `${name} ${EPERM}`).join("\n"));
  },
);

enclosed("nothing can be made to run as its owner, and an executable can be made all the same", async () => {
  await using box = await encloseProject();
  const { output } = await box.sh(`cp /bin/true t; chmod u+s t 2>/dev/null && echo set; chmod 755 t && ./t && echo runs
    perl -MFcntl -e 'sysopen(F, "u", O_CREAT | O_WRONLY, 04755) and print "made\\n"'`);
  expect(output).toBe("runs");
  expect(statSync(join(box.root, "t")).mode & 0o7777).toBe(0o755);
});

enclosed("no name is known, nothing of this machine is reached, and a port inside is not one outside", async () => {
  await using box = await encloseProject();
  let connections = 0;
  const server = createServer((socket) => void socket.destroy(void (connections += 1)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const { output } = await box.sh(`
      bash -c ': < /dev/tcp/127.0.0.1/${port}' 2>/dev/null && echo reached
      bash -c ': < /dev/tcp/169.254.169.254/80' 2>/dev/null && echo metadata
      getent hosts example.com && echo resolved
      node -e 'require("net").createServer().listen(${port}, "127.0.0.1", function () { console.log("listens"); this.close(); })'`);
    expect({ output, connections }).toEqual({ output: "listens", connections: 0 });
  } finally {
    server.close();
  }
});

enclosed("a server that was named is reached, with its exit codes as ever, and nothing else is", async () => {
  await using box = await encloseProject();
  const server = createHttpServer((_, answer) => answer.end("served")).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const get = (url: string): string =>
      `fetch("${url}").then(async (r) => console.log(r.status, (await r.text()).trim()), () => console.log("failed"))`;
    const hosts = [`localhost:${port}`, "example.com"];
    const { output, code } = await box.sh(
      `node -e '${get(`http://localhost:${port}/`)}'; node -e '${get("http://example.com/")}'; node -e '${get("https://example.org/")}'; exit 7`,
      { hosts },
    );
    expect({ code, output }).toEqual({
      code: 7,
      output: "200 served\nfailed\nfailed",
    });
    expect((await box.sh("kill -9 $$", { hosts })).code).toBe(137);
    expect((await box.sh(`node -e '${get(`http://localhost:${port}/`)}'`)).output).toBe("failed");
  } finally {
    server.close();
  }
});

enclosed("what a command leaves behind ends with it, whatever it ignores", async () => {
  await using box = await encloseProject();
  const mark = `3${process.pid}.25`;
  const { output } = await box
    .sh(
      `setsid -f sleep ${mark} >/dev/null 2>&1; (trap '' HUP TERM; nohup setsid sleep ${mark} >/dev/null 2>&1 &); kill -9 -1; kill -STOP $$; echo after`,
      { ms: 1_500 },
    )
    .catch((thrown: unknown) => ({ output: thrown instanceof Failure ? thrown.code : String(thrown) }));
  expect(output).not.toContain("after");
  expect(await survivors(mark)).toEqual([]);
});

/** Processes with this argument, a second on. */
async function survivors(mark: string): Promise<string[]> {
  await new Promise((resolve) => setTimeout(resolve, 500));
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(mark);
    } catch {
      return false;
    }
  });
}

enclosed("no core is dumped, files and /tmp are bounded", async () => {
  await using box = await encloseProject({ limits: { file: 1 << 20, scratch: 1 << 20 } });
  const fill = (file: string): string => `head -c 3000000 /dev/zero > ${file} 2>/dev/null; stat -c %s ${file}`;
  const { output } = await box.sh(
    `ulimit -c; ${fill("big")}; ${fill("/tmp/big")}; ${fill("/dev/shm/big")}; ${fill("~/big")}`,
  );
  expect(output.split("\n")).toEqual(["0", ...Array<string>(4).fill(String(1 << 20))]);
});

enclosed("the most specific rule decides, in whatever order places come", async () => {
  const rule = (glob: string, read: "allow" | "deny", write: "allow" | "deny") => [
    { name: glob, globs: [glob], access: ["read"] as const, decision: read },
    { name: glob, globs: [glob], access: ["write"] as const, decision: write },
  ];
  const rules = [
    ...rule("**", "allow", "allow"),
    ...rule("t", "deny", "deny"),
    ...rule("t/w", "allow", "deny"),
    ...rule("t/w/p", "allow", "allow"),
  ];
  await using box = await encloseProject({ rules, files: { "t/x": "x", "t/w/y": "y", "t/w/p/z": "z" } });
  const { output } = await box.sh(
    "cat t/x; cat t/w/y; touch t/w/f; touch t/w/p/f && cat t/w/p/z; ls t; echo x > t/n; ls t/w",
  );
  expect(output).toBe("yzp\ny");
  expect(existsSync(join(box.root, "t/w/p/f"))).toBe(true);
});

enclosed("a secret is not read nor written, and a hidden folder takes no writing that would vanish", async () => {
  const files = { ".env": "KEY=canary", ".env.example": "KEY=", ".ssh/id": "canary", "sub/deep/server.pem": "canary" };
  await using box = await encloseProject({ files });
  const { output, errors } = await box.sh(
    "cat .env .env.example .ssh/id sub/deep/server.pem; ln .env hard; ln sub/deep/server.pem hard2; cp -r sub copy; echo x > .ssh/f || echo failed; echo x > .env || echo failed; cat copy/deep/* hard",
  );
  expect(output).toBe("KEY=failed\nfailed");
  expect(errors).toContain(".ssh/f: ");
  expect(readFileSync(join(box.root, ".env"), "utf8")).toBe("KEY=canary");
});

enclosed("a protected file is neither changed nor moved nor replaced with the folder it lies in", async () => {
  const files = { ".github/workflows/ci.yml": "on: push\n", "AGENTS.md": "mine\n", "sub/AGENTS.md": "mine\n" };
  await using box = await encloseProject({ files });
  await box.sh(`
    echo evil >> AGENTS.md; rm -f AGENTS.md; mv AGENTS.md x; mv .github g && mkdir -p .github/workflows; rm -rf sub; mv sub y
    echo evil > .github/workflows/ci.yml; echo evil > .github/workflows/new.yml`);
  expect(Object.keys(files).map((file) => readFileSync(join(box.root, file), "utf8"))).toEqual(Object.values(files));
  expect(await box.inspect()).toEqual([]);
});

enclosed("more secrets than can be masked are said, and nothing runs", async () => {
  const files = Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`s${n}/.env`, "canary"]));
  await using box = await encloseProject({ files });
  await expect(box.sh("echo ran")).rejects.toMatchObject({
    code: "E_UNPROTECTABLE",
    message: "The project has 65 places that may not be read, more than the 64 that commands can be kept from.",
  });
});

enclosed("a protected file that a command made is moved to safety, and told", async () => {
  await using box = await encloseProject();
  await box.sh(`echo evil > .croft.json; mkdir -p .vscode sub/.vscode; echo evil > .vscode/tasks.json; ln -s ok AGENTS.md
    echo fine > ok`);
  expect(appeared(await box.inspect())).toEqual([".croft.json", ".vscode", "AGENTS.md", "sub/.vscode"]);
  expect(readdirSync(box.root).toSorted()).toEqual(["ok", "sub"]);
  expect(await box.inspect()).toEqual([]);
});

enclosed(
  "what hides from a look is found: a name that is no UTF-8 beside it, folders that are shut, a FIFO in it",
  async () => {
    await using box = await encloseProject({ files: { "sub/a": "a" } });
    await box.sh(`mkdir .vscode sub/.vscode sub/.idea; mkfifo .vscode/f; echo x > sub/.vscode/tasks.json; mkdir $'a\\xff'
    chmod 0555 sub/.vscode; chmod 0311 sub; chmod 0311 .`);
    const told = await box.inspect();
    expect(appeared(told.slice(0, -1))).toEqual([".vscode", "sub/.vscode"]);
    expect(told.at(-1)).toMatch(/^The name "a\ufffd" is not UTF-8/);
    expect([statSync(box.root).mode & 0o777, statSync(join(box.root, "sub")).mode & 0o777]).toEqual([0o311, 0o311]);
    await expect(box.sh("true")).rejects.toMatchObject({ code: "E_UNPROTECTABLE" });
  },
);

enclosed("a socket file that a service of this machine listens on leads nowhere, and stays", async () => {
  await using box = await encloseProject();
  let connections = 0;
  const server = createServer((socket) => void socket.destroy(void (connections += 1)));
  server.listen(join(box.root, "service.sock"));
  await once(server, "listening");
  try {
    const { output } = await box.sh(
      `node -e 'require("net").connect("service.sock").on("error", (e) => console.log(e.code)).on("connect", () => console.log("reached"))'`,
    );
    expect([output, connections, await box.inspect()]).toEqual(["EACCES", 0, []]);
    expect(existsSync(join(box.root, "service.sock"))).toBe(true);
  } finally {
    server.close();
  }
});

enclosed("a link in a protected place is put back where a command replaced it", async () => {
  await using box = await encloseProject({ files: { "notes.md": "mine\n" } });
  symlinkSync("notes.md", join(box.root, "AGENTS.md"));
  await box.sh("rm AGENTS.md; echo evil > AGENTS.md");
  expect(appeared(await box.inspect())).toEqual(["AGENTS.md"]);
  expect(readlinkSync(join(box.root, "AGENTS.md"))).toBe("notes.md");
});

enclosed("what a person approved, or made between commands, is left alone", async () => {
  await using box = await encloseProject();
  await box.sh("true");
  await box.inspect();
  mkdirSync(join(box.root, ".vscode"));
  await box.sh("true");
  box.guard.expect("sub/AGENTS.md");
  mkdirSync(join(box.root, "sub"));
  writeFileSync(join(box.root, "sub/AGENTS.md"), "mine\n");
  expect(await box.inspect()).toEqual([]);
  expect(readdirSync(box.root).toSorted()).toEqual([".vscode", "sub"]);
});

enclosed("while a command runs, what appears is its doing, and a place it could swap is not trusted", async () => {
  await using box = await encloseProject();
  const server = await box.enclosure.launch({ argv: ["sleep", "1"], cwd: ".", profile: "plain", hosts: [] }, never);
  writeFileSync(join(box.root, ".croft.json"), "who knows\n");
  await box.sh("true");
  expect(appeared(await box.inspect())).toEqual([".croft.json"]);
  box.guard.expect("AGENTS.md");
  writeFileSync(join(box.root, "AGENTS.md"), "approved\n");
  await expect(box.sh("true")).rejects.toMatchObject({ code: "E_UNPROTECTABLE" });
  await server[Symbol.asyncDispose]();
  expect((await box.sh("cat AGENTS.md; echo x >> AGENTS.md")).output).toBe("approved");
});

/** The paths told, in order. */
function appeared(told: readonly string[]): string[] {
  return told.map((line) => /^"(.+?)" appeared, which commands may not write/.exec(line)?.[1] ?? line).toSorted();
}
