import { afterEach, beforeEach, expect, test } from "vitest";
import { closeDescriptor, trackDescriptors, type DescriptorTracking } from "./descriptors.ts";
import { errno } from "./errno.ts";
import { SocketAddresses } from "./socket-address.ts";
import { boundAddress, receive, send } from "./tcp.ts";
import { bindUdp, connectUdp, DatagramBatch } from "./udp-socket.ts";

const loopback = { ip: "127.0.0.1", port: 0 };
let tracking: DescriptorTracking;

beforeEach(() => {
  tracking = trackDescriptors();
});
afterEach(() => {
  tracking.stop();
});

/** Two sockets, of which the first is connected to the second. */
function twoSockets(): { connected: number; other: number; close(): void } {
  const connected = bindUdp(loopback);
  const other = bindUdp(loopback);
  connectUdp(connected, boundAddress(other));
  const close = (): void => [connected, other].forEach(closeDescriptor);
  return { connected, other, close };
}

function write(batch: DatagramBatch, entry: number, text: string): number {
  return batch.bytes.write(text, batch.offset(entry), "latin1");
}

function read(batch: DatagramBatch, entry: number): string {
  const start = batch.offset(entry);
  return batch.bytes.toString("latin1", start, start + batch.length(entry));
}

test("datagrams for the peer of a connected socket need no address, and arrive behind those already received", () => {
  const { connected, other, close } = twoSockets();
  const batch = new DatagramBatch({ datagramsMax: 4, datagramBytesMax: 32 });
  // The addresses in the entries are not the peer's.
  for (let entry = 0; entry < 3; entry += 1) {
    batch.addresses.write({ ip: "192.0.2.1", port: 9 }, entry);
    batch.prepareForPeer(entry, write(batch, entry, `datagram ${entry}`));
  }
  expect(batch.send(connected, 0, 3)).toBe(3);
  batch.bytes.fill(0);
  expect(batch.receive(other, 0, 1)).toBe(1);
  expect(batch.receive(other, 1)).toBe(2);
  expect([0, 1, 2].map((entry) => read(batch, entry))).toEqual([
    "datagram 0",
    "datagram 1",
    "datagram 2",
  ]);
  expect(batch.addresses.read(2)).toEqual(boundAddress(connected));
  expect(batch.receive(other)).toBe(-errno.EAGAIN);
  close();
});

test("one datagram is received by itself with its whole length, and leaves the others where they are", () => {
  const { connected, other, close } = twoSockets();
  const batch = new DatagramBatch({ datagramsMax: 2, datagramBytesMax: 8 });
  const longer = new DatagramBatch({ datagramsMax: 2, datagramBytesMax: 32 });
  ["first", "far too long"].forEach((text, entry) => {
    longer.prepareForPeer(entry, write(longer, entry, text));
  });
  expect(longer.send(connected, 0, 2)).toBe(2);
  expect(batch.receiveOne(other, 1)).toBe(5);
  expect(batch.bytes.toString("latin1", 8, 13)).toBe("first");
  expect(batch.receiveOne(other, 0)).toBe(12);
  expect(batch.bytes.toString("latin1")).toBe("far too first\0\0\0");
  expect(batch.receiveOne(other, 0)).toBe(-errno.EAGAIN);
  close();
});

test("an entry that sent a short datagram receives a long one", () => {
  const { connected, other, close } = twoSockets();
  const batch = new DatagramBatch({ datagramsMax: 2, datagramBytesMax: 32 });
  batch.prepareForPeer(1, write(batch, 1, "x"));
  expect(batch.send(connected, 1, 1)).toBe(1);
  expect(batch.receive(other)).toBe(1);
  expect(read(batch, 0)).toBe("x");
  write(batch, 0, "a".repeat(32));
  for (let n = 0; n < 2; n += 1) expect(send(connected, batch.addressOf(0), 32)).toBe(32);
  expect(batch.receive(other)).toBe(2);
  expect([0, 1].map((entry) => read(batch, entry))).toEqual(["a".repeat(32), "a".repeat(32)]);
  expect(batch.isCut(1)).toBe(false);
  close();
});

test("a single datagram is received into an entry by its address", () => {
  const { connected, other, close } = twoSockets();
  const batch = new DatagramBatch({ datagramsMax: 2, datagramBytesMax: 16 });
  expect(send(connected, batch.addressOf(0), write(batch, 0, "single"))).toBe(6);
  expect(receive(other, batch.addressOf(1), 16)).toBe(6);
  expect(batch.bytes.toString("latin1", 16, 22)).toBe("single");
  close();
});

test("entries outside of the batch are refused", () => {
  const batch = new DatagramBatch({ datagramsMax: 2, datagramBytesMax: 16 });
  expect(() => batch.receive(0, 1, 2)).toThrow(RangeError);
});

test.each([
  ["192.0.2.1", "192.0.2.2"],
  ["2001:db8::1", "2001:db8::2"],
])("addresses like %s are the same only with equal IP address and port", (ip, otherIp) => {
  const left = new SocketAddresses(3);
  const right = new SocketAddresses(3);
  // The remains of a longer address do not count.
  right.write({ ip: "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", port: 1 }, 2);
  left.write({ ip, port: 19_132 }, 1);
  right.copyFrom(left, 1, 2);
  expect(left.isSame(1, right, 2)).toBe(true);
  expect(left.hash(1, 7)).toBe(right.hash(2, 7));
  expect(left.hash(1, 7)).not.toBe(left.hash(1, 8));
  for (const change of [{ ip: otherIp }, { port: 19_133 }]) {
    right.write({ ip, port: 19_132, ...change }, 0);
    expect(left.isSame(1, right, 0)).toBe(false);
    expect(left.hash(1, 7)).not.toBe(right.hash(0, 7));
  }
});
