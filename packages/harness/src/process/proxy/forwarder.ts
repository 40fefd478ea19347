/** The inner end of the way out: from a port of the enclosure's own loopback to the proxy's socket file. */

/** Where the socket file stands inside. */
export const socketInside = "/run/croft/proxy";
const port = 3128;

/**
 * Run by Node inside. It listens, then runs the command, and ends as the command does. Not a module of its own, since
 * inside there is nothing to load one from.
 */
const script = `
const { connect, createServer } = require("node:net");
const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const [socketFile, port, program, ...args] = process.argv.slice(1);
const server = createServer((client) => {
  const proxy = connect(socketFile);
  client.on("error", () => proxy.destroy()).on("close", () => proxy.destroy());
  proxy.on("error", () => client.destroy()).on("close", () => client.destroy());
  client.pipe(proxy).pipe(client);
});
server.listen(Number(port), "127.0.0.1", () => {
  const child = spawn(program, args, { stdio: "inherit" });
  child.on("error", (error) => {
    process.stderr.write(error.message + "\\n");
    process.exit(error.code === "ENOENT" ? 127 : 126);
  });
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
});
`;

/** The start of an argv; `node` is a path inside. */
export function forwarder(node: string): string[] {
  return [node, "-e", script, socketInside, String(port)];
}

/**
 * What makes tools use it. A name of this machine goes through the proxy only where one was named: else it is a server
 * inside that is meant.
 */
export function proxyVariables(localNamed: boolean): Record<string, string> {
  const proxy = `http://127.0.0.1:${port}`;
  const direct = localNamed ? "" : "localhost,127.0.0.1,::1";
  const names = [
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "http_proxy",
    "https_proxy",
    "npm_config_proxy",
    "npm_config_https_proxy",
  ];
  return {
    ...Object.fromEntries(names.map((name) => [name, proxy])),
    CARGO_HTTP_PROXY: proxy,
    NO_PROXY: direct,
    no_proxy: direct,
    npm_config_noproxy: direct,
    NODE_USE_ENV_PROXY: "1",
  };
}
