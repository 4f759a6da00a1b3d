import { afterEach, expect, test } from "vitest";
import { until } from "../until.ts";
import { ProxyProtocolReceiver } from "./proxy-protocol-receiver.ts";
import { addressText, UdpSocket } from "./udp-socket.ts";

const signature = "0d0a0d0a000d0a515549540a";
/** From 203.0.113.7:4711 to 198.51.100.1:19132. */
const header4 = Buffer.from(`${signature}2112000ccb007107c633640112674abc`, "hex");
const header6 = Buffer.concat([
  Buffer.from(`${signature}21220024`, "hex"),
  Buffer.from("20010db8000000000000000000000007", "hex"),
  Buffer.from("20010db8000000000000000000000001", "hex"),
  Buffer.from("12674abc", "hex"),
]);
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function setUp(mode: "first" | "every") {
  const received: string[] = [];
  const answered: string[] = [];
  const local = { host: "127.0.0.1", port: 0 };
  const server: UdpSocket = new UdpSocket(local, (bytes, source) => {
    received.push(bytes.toString());
    server.send(Buffer.from(`echo ${bytes.toString()}`), source);
  });
  const proxy = new UdpSocket(local, (bytes) => answered.push(bytes.toString()));
  await Promise.all([server.listening(), proxy.listening()]);
  const receiver = await ProxyProtocolReceiver.listen({ server: server.address, mode });
  for (const each of [server, proxy, receiver]) closing.push(() => each.close());
  const send = (...parts: (Buffer | string)[]): void =>
    proxy.send(Buffer.concat(parts.map((part) => Buffer.from(part))), receiver.address);
  return { receiver, send, received, answered, name: addressText(proxy.address) };
}

test("in mode first, the first datagram's header is taken off and named, and answers come back", async () => {
  const { receiver, send, received, answered, name } = await setUp("first");
  send(header4, "one");
  send("two");
  await until(() => answered.length === 2, { what: "both answers" });
  expect(received).toEqual(["one", "two"]);
  expect(answered).toEqual(["echo one", "echo two"]);
  expect(receiver.sources.get(name)).toMatchObject({
    player: "203.0.113.7:4711",
    destination: "198.51.100.1:19132",
    datagrams: 2,
    headers: 1,
  });
  expect(receiver.violations).toEqual([]);
});

test("in mode every, all datagrams have the same header", async () => {
  const { receiver, send, received, name } = await setUp("every");
  send(header6, "one");
  send(header6, "two");
  send("three");
  send(header4, "four");
  await until(() => receiver.violations.length === 2, { what: "the violations" });
  await until(() => received.length === 2, { what: "the datagrams with a header" });
  expect(receiver.players).toEqual(["[2001:db8::7]:4711"]);
  expect(receiver.violations[0]).toBe(`${name}: no header on a later datagram`);
  expect(receiver.violations[1]).toContain("names 203.0.113.7:4711");
});

test.each([
  ["no header on the first datagram", [Buffer.from("plain")]],
  ["two headers on one datagram", [Buffer.concat([header4, header4, Buffer.from("x")])]],
  ["a header without a datagram", [header4]],
  ["a cut header", [header4.subarray(0, 20)]],
  ["a header of another kind: 2111000c", [Buffer.from(`${signature}2111000c`, "hex")]],
  [
    "a header on a later datagram",
    [Buffer.concat([header4, Buffer.from("x")]), Buffer.concat([header4, Buffer.from("y")])],
  ],
])("in mode first, it finds %s", async (why, datagrams) => {
  const { receiver, send, received, name } = await setUp("first");
  for (const datagram of datagrams) send(datagram);
  await until(() => receiver.violations.length === 1, { what: "the violation" });
  expect(receiver.violations).toEqual([`${name}: ${why}`]);
  await until(() => received.length === datagrams.length - 1, { what: "what was passed on" });
});

test("a LOCAL header is a check of the proxy's own and names no player", async () => {
  const { receiver, send, answered } = await setUp("first");
  send(Buffer.from(`${signature}20000000`, "hex"), "ping");
  await until(() => answered.length === 1, { what: "the answer" });
  expect(receiver.players).toEqual([]);
  expect(receiver.violations).toEqual([]);
});
