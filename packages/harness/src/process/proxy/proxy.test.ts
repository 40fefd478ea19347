import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Failure } from "../../error.ts";
import { publicAddresses } from "./addresses.ts";
import { parseHost } from "./hosts.ts";
import { startProxy, type Proxy } from "./proxy.ts";

const folder = mkdtempSync(join(tmpdir(), "croft-test-"));
const socketFile = join(folder, "proxy");
const seen: string[] = [];
const server = createServer((message, answer) => {
  seen.push(`${message.method} ${message.url} for ${message.headers.host}`);
  if (message.url === "/away") answer.writeHead(302, { location: "http://127.0.0.1:1/" });
  answer.end("from the server");
});
const looked: string[] = [];
let port = 0;
let proxy: Proxy | undefined;

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
  const hosts = ["allowed.com", "inner.com", `localhost:${port}`].map(parseHost);
  proxy = await startProxy(socketFile, hosts, async (name) => {
    looked.push(name);
    return name === "inner.com" ? ["127.0.0.1", "::ffff:10.0.0.1", "fe80::1%eth0"] : [];
  });
});
afterAll(async () => {
  await proxy?.close();
  server.close();
  rmSync(folder, { recursive: true });
});

/** The first line of the answer to these very bytes. */
async function answerTo(request: string): Promise<string> {
  const socket = connect(socketFile);
  socket.setTimeout(5_000, () => socket.destroy());
  socket.write(Buffer.from(request, "latin1"));
  let answer = "";
  for await (const chunk of socket) {
    answer += String(chunk);
    if (answer.includes("\r\n\r\n")) break;
  }
  socket.destroy();
  return answer.split("\r\n", 1)[0] ?? "";
}

const tunnel = (target: string): Promise<string> =>
  answerTo(`CONNECT ${target} HTTP/1.1\r\nHost: allowed.com:443\r\n\r\n`);
const get = (target: string): Promise<string> => answerTo(`GET ${target} HTTP/1.1\r\nHost: allowed.com\r\n\r\n`);

test("the named server of this machine is reached, by tunnel and by request, and nothing follows where it points", async () => {
  seen.length = 0;
  expect(await tunnel(`localhost:${port}`)).toBe("HTTP/1.1 200 Connection established");
  expect(await get(`http://localhost:${port}/x?y=1`)).toBe("HTTP/1.1 200 OK");
  expect(await get(`http://LOCALHOST:${port}/away`)).toBe("HTTP/1.1 302 Found");
  expect(seen).toEqual([`GET /x?y=1 for localhost:${port}`, `GET /away for localhost:${port}`]);
});

test("no other spelling of a host gets through, and none is looked up", async () => {
  looked.length = 0;
  const names = [
    "evil\0.allowed.com",
    "allowed.com.evil",
    "allowed.com@evil",
    "allowed.com.",
    "a.allowed.com",
    "127.0.0.1",
  ];
  const addresses = [
    "2130706433",
    "0x7f.1",
    "0.0.0.0",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "localhost.",
    "allowed.com%2eevil",
  ];
  const answers = [];
  for (const name of [...names, ...addresses, "ALLOWED\u00adCOM", ""]) {
    for (const target of [`${name}:443`, `${name}:${port}`]) answers.push(await tunnel(target));
    answers.push(await get(`http://${name}/`), await get(`http://${name}:${port}/`));
  }
  expect(answers.filter((answer) => !/^HTTP\/1\.1 40[03]/.test(answer))).toEqual([]);
  expect(looked).toEqual([]);
});

test("a named host is not reached on another port, nor at an address of this machine or network", async () => {
  looked.length = 0;
  const answers = [await tunnel("allowed.com:22"), await tunnel("inner.com:443"), await get("http://inner.com/")];
  expect(answers).toEqual(Array<string>(3).fill("HTTP/1.1 403 Forbidden"));
  expect(looked).toEqual(["inner.com", "inner.com"]);
  expect(await tunnel("allowed.com:443")).toBe("HTTP/1.1 403 Forbidden");
});

test("a path is no host, and no other scheme is spoken", async () => {
  const answers = await Promise.all(["/x", "ftp://allowed.com/", "//allowed.com/", "*"].map(get));
  expect(answers).toEqual(Array<string>(4).fill("HTTP/1.1 403 Forbidden"));
});

test("hosts are named exactly", () => {
  expect(parseHost("Registry.npmjs.ORG")).toEqual({ name: "registry.npmjs.org", ports: [80, 443], local: false });
  expect(parseHost("example.com:8443")).toEqual({ name: "example.com", ports: [8443], local: false });
  expect(parseHost("localhost:4873")).toEqual({ name: "localhost", ports: [4873], local: true });
  const bad = [
    "",
    "localhost",
    "*.com",
    "a..b",
    "a.",
    "-a.com",
    "a b",
    "1.2.3.4",
    "0x7f000001",
    "[::1]:80",
    "a:0",
    "a:99999",
    "ä.com",
    "a@b",
    "http://a",
    "a\0",
  ];
  const codeOf = (name: string): string => {
    try {
      parseHost(name);
      return "taken";
    } catch (thrown) {
      return thrown instanceof Failure ? thrown.code : "thrown";
    }
  };
  expect(bad.filter((name) => codeOf(name) !== "E_BAD_HOST")).toEqual([]);
});

test("addresses of this machine, of private networks and of clouds' metadata are not public", () => {
  const isPublic = publicAddresses();
  const inner = [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.2",
    "169.254.169.254",
    "172.31.0.1",
    "192.168.1.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:8.8.8.8",
    "64:ff9b::a00:1",
    "2002:7f00:1::",
    "2001::1",
    "fd00::1",
    "fe80::1",
    "fe80::1%eth0",
    "ff02::1",
    "fd00:ec2::254",
    "x",
    "",
  ];
  expect([...inner, "8.8.8.8", "2606:4700::1111"].filter(isPublic)).toEqual(["8.8.8.8", "2606:4700::1111"]);
});
