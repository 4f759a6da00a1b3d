import { EventEmitter } from "node:events";
import { fastify } from "fastify";
import { expect, test } from "vitest";
import { capConnections } from "./connection-cap.ts";

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
  const app = fastify();
  capConnections(app, ["192.0.2.9"], max);
  return (address: string): Connection => {
    const connection = new Connection(address);
    app.server.emit("connection", connection);
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
