import { EventEmitter } from "node:events";
import type { Server } from "node:net";
import { until } from "@palisade/testing/until";
import { fastify } from "fastify";
import { expect, test } from "vitest";
import { translateError } from "#src/platform/errors/error-translator.ts";
import { capConnections, capRequests } from "./source-caps.ts";

class Connection extends EventEmitter {
  isClosed = false;
  readonly remoteAddress: string;
  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }
  destroy(): void {
    this.isClosed = true;
  }
}

/** The kernel cannot give a test the addresses of strangers. */
function capped(max: number) {
  const server = new EventEmitter();
  capConnections(server as Server, ["192.0.2.9"], max);
  return (address: string): Connection => {
    const connection = new Connection(address);
    server.emit("connection", connection);
    return connection;
  };
}

test("a source with too many connections gets no more until one of them ends; others do", () => {
  const connect = capped(2);
  const [first, second, third] = ["203.0.113.1", "::ffff:203.0.113.1", "203.0.113.1"].map(connect);
  expect([first, second, third].map((each) => each?.isClosed)).toEqual([false, false, true]);
  expect(connect("203.0.113.2").isClosed).toBe(false);
  third?.emit("close");
  expect(connect("203.0.113.1").isClosed).toBe(true);
  first?.emit("close");
  expect(connect("203.0.113.1").isClosed).toBe(false);
});

test("the addresses of an IPv6 network are one source", () => {
  const connect = capped(1);
  expect(connect("2001:db8::1").isClosed).toBe(false);
  expect(connect("2001:db8::2").isClosed).toBe(true);
  expect(connect("2001:db8:0:1::1").isClosed).toBe(false);
});

test.each(["127.0.0.1", "::1", "192.0.2.9"])("%s, which brings many callers, has no cap", (ip) => {
  const connect = capped(1);
  expect([connect(ip), connect(ip), connect(ip)].some((each) => each.isClosed)).toBe(false);
});

test("a source with too many requests under way is refused until one is answered; others are not", async () => {
  const waiting: (() => void)[] = [];
  const app = fastify();
  app.setErrorHandler((error, _request, reply) => {
    const { status, headers } = translateError(error, "en", "id");
    return reply.code(status).headers(headers).send();
  });
  capRequests(app, ["192.0.2.9"], 2);
  app.get("/slow", () => new Promise<string>((resolve) => waiting.push(() => resolve("done"))));
  app.get("/", async () => "done");
  const ask = (ip: string, url: string) => app.inject({ url, remoteAddress: ip });

  const slow = [ask("203.0.113.1", "/slow"), ask("203.0.113.1", "/slow")];
  await until(() => waiting.length === 2);
  const refused = await ask("203.0.113.1", "/");
  expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "1"]);
  expect((await ask("203.0.113.2", "/")).statusCode).toBe(200);
  for (const ip of ["127.0.0.1", "192.0.2.9"]) {
    const many = Array.from({ length: 3 }, () => ask(ip, "/"));
    expect((await Promise.all(many)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  }
  for (const finish of waiting) finish();
  expect((await Promise.all(slow)).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expect((await ask("203.0.113.1", "/")).statusCode).toBe(200);
});
