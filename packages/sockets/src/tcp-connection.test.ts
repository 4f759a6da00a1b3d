import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { closeDescriptor } from "./descriptors.ts";
import { boundAddress, listenTcp } from "./tcp.ts";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { TcpConnection } from "./tcp-connection.ts";
import { TcpListener } from "./tcp-listener.ts";

const loopback = "127.0.0.1";

let listening: number;
let listener: TcpListener;
let peer: Socket;
let connection: TcpConnection;
let events: string[];

beforeEach(async () => {
  events = [];
  const accepted = Promise.withResolvers<TcpConnection>();
  listening = listenTcp({ ip: loopback, port: 0, backlog: 8 });
  listener = new TcpListener(listening, accepted.resolve);
  peer = connect({ host: loopback, port: boundAddress(listening).port, allowHalfOpen: true });
  peer.on("error", () => undefined);
  await once(peer, "connect");
  connection = await accepted.promise;
  connection.listen({
    received: (bytes) => events.push(bytes.toString("latin1").slice(0, 20)),
    ended: () => events.push("ended"),
    closed: () => events.push("closed"),
    drained: () => events.push("drained"),
  });
});

afterEach(() => {
  connection.destroy();
  peer.destroy();
  listener.close();
  closeDescriptor(listening);
});

test("the peer's end is told once, also while the peer takes bytes slowly", async () => {
  peer.pause();
  connection.resume();
  connection.write(Buffer.alloc(8 * 1_024 * 1_024));
  expect(connection.unsentBytes).toBeGreaterThan(0);
  peer.end();
  await until(() => events.includes("ended"));
  peer.resume();
  await until(() => events.includes("drained"));
  connection.end();
  await until(() => events.includes("closed"));
  expect(events).toEqual(["ended", "drained", "closed"]);
});

test("bytes that were put back come before those that wait in the kernel, also while bytes are sent", async () => {
  peer.pause();
  connection.write(Buffer.alloc(8 * 1_024 * 1_024));
  peer.write("second");
  connection.putBack(Buffer.from("first"));
  connection.resume();
  peer.resume();
  await until(() => events.includes("second") && events.includes("drained"));
  expect(events.filter((event) => event !== "drained")).toEqual(["first", "second"]);
});
