/**
 * The way out of an enclosure: an HTTP proxy that listens on a socket file, so that nothing but what has the file can
 * use it. It looks names up itself and dials the very address it has checked; inside there is no way to look up
 * anything.
 */

import { once } from "node:events";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { messageOf } from "../../error.ts";
import { dialing, type Dial, type Resolve } from "./dial.ts";
import type { Host } from "./hosts.ts";

export type Proxy = {
  /** Cuts what is open. */
  close(): Promise<void>;
};

type Target = { name: string; port: number; path: string };
/** `keep`: the proxy cuts the stream when it is closed, or when nothing goes through it. */
type Outwards = { dial: Dial; keep: (stream: Socket) => Socket };

const connectTarget = /^([A-Za-z0-9.-]{1,253}):(\d{1,5})$/;
const requestTarget = /^http:\/\/([A-Za-z0-9.-]{1,253})(?::(\d{1,5}))?(\/[!-~]*)?$/;
/** These speak of one connection, and there are two. */
const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "upgrade",
]);
const maxConnections = 256;
/** Milliseconds without a byte. */
const idle = 300_000;

/** Throws the system's error if `socketFile` cannot be listened on; a path of at most 107 bytes. */
export async function startProxy(socketFile: string, hosts: readonly Host[], resolve?: Resolve): Promise<Proxy> {
  const dial = dialing(hosts, resolve);
  const open = new Set<Duplex>();

  function keep(stream: Socket): Socket {
    open.add(stream);
    stream.setTimeout(idle, () => stream.destroy());
    stream.on("close", () => open.delete(stream));
    return stream;
  }

  const server = createServer();
  server.maxConnections = maxConnections;
  server.on("connection", keep);
  server.on("connect", (message: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on("error", () => client.destroy());
    tunnel({ message, client, head }, { dial, keep }).catch((thrown: unknown) =>
      client.end(refusal(messageOf(thrown))),
    );
  });
  server.on("request", (message, answer) => {
    forward(message, answer, dial).catch((thrown: unknown) =>
      answer.writeHead(502).end(`croft: ${messageOf(thrown)}\n`),
    );
  });
  server.listen(socketFile);
  await once(server, "listening");
  return {
    close: async () => {
      const closed = once(server, "close");
      server.close();
      for (const stream of open) stream.destroy();
      await closed;
    },
  };
}

type Tunnelled = { message: IncomingMessage; client: Duplex; head: Buffer };

/** CONNECT: bytes both ways, which nobody here reads. */
async function tunnel({ message, client, head }: Tunnelled, { dial, keep }: Outwards): Promise<void> {
  const [, name = "", port] = connectTarget.exec(message.url ?? "") ?? [];
  const dialled = await dial(name, Number(port));
  if ("refused" in dialled) return void client.end(refusal(dialled.refused));
  const server = keep(connect({ host: dialled.address, port: Number(port) }));
  server.on("error", () => client.destroy());
  client.on("error", () => server.destroy());
  client.on("close", () => server.destroy());
  await once(server, "connect");
  client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  server.write(head);
  client.pipe(server).pipe(client);
}

/** A request in plain HTTP, made again. */
async function forward(message: IncomingMessage, answer: ServerResponse, dial: Dial): Promise<void> {
  const target = targetOf(message.url ?? "");
  const dialled =
    target === undefined ? { refused: "The request names no host." } : await dial(target.name, target.port);
  if (target === undefined || "refused" in dialled) {
    answer.writeHead(403, { "content-type": "text/plain", connection: "close" });
    return void answer.end(`croft: ${"refused" in dialled ? dialled.refused : ""}\n`);
  }
  const headers = Object.fromEntries(Object.entries(message.headers).filter(([name]) => !hopByHop.has(name)));
  const { name } = dialled.host;
  const host = target.port === 80 ? name : `${name}:${target.port}`;
  const onward = request({
    host: dialled.address,
    port: target.port,
    method: message.method,
    path: target.path,
    headers: { ...headers, host, connection: "close" },
  });
  onward.setTimeout(idle, () => onward.destroy());
  onward.on("error", () => answer.destroy());
  answer.on("close", () => onward.destroy());
  onward.on("response", (reply) => {
    answer.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.on("error", () => answer.destroy());
    reply.pipe(answer);
  });
  message.pipe(onward);
}

function targetOf(url: string): Target | undefined {
  const found = requestTarget.exec(url);
  if (found === null) return undefined;
  const [, name = "", port = "80", path = "/"] = found;
  return { name, port: Number(port), path };
}

function refusal(why: string): string {
  return `HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\ncroft: ${why}\n`;
}
