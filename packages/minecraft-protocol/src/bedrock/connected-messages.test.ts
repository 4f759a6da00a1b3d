import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  encodeConnectedPing,
  encodeConnectedPong,
  encodeConnectionAccepted,
  encodeConnectionRequest,
  encodeDisconnect,
  encodeNewIncomingConnection,
  isDisconnect,
  readConnectedPing,
  readConnectedPong,
  readConnectionAccepted,
  readConnectionRequest,
  readNewIncomingConnection,
} from "./connected-messages.ts";
import { readFrameSet } from "./frames.ts";
import { recordedLogins } from "../testing/recorded-logins.ts";

const readers = [
  readConnectionRequest,
  readConnectionAccepted,
  readNewIncomingConnection,
  readConnectedPing,
  readConnectedPong,
];
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const endpoint = fc.record({
  ip: fc.oneof(
    fc.uint8Array({ minLength: 4, maxLength: 4 }),
    fc.uint8Array({ minLength: 16, maxLength: 16 }),
  ),
  port: fc.integer({ min: 0, max: 65_535 }),
});
const plain = (value: { ip: Uint8Array; port: number } | undefined) =>
  value && { ip: [...value.ip], port: value.port };

describe("messages of a recorded client of", () => {
  test.each(recordedLogins)("$version are read", ({ datagrams }) => {
    const bodies = datagrams.map(
      (datagram) =>
        readFrameSet(Buffer.from(datagram, "base64"))?.frames[0]?.body ?? Buffer.alloc(0),
    );
    const [request, incoming, ping] = bodies;
    expect(request && readConnectionRequest(request)?.guid).toBeGreaterThan(0n);
    expect(incoming && readNewIncomingConnection(incoming)).toBeDefined();
    expect(ping && readConnectedPing(ping)).toBeGreaterThan(0n);
  });
});

test("messages are read back as they were written", () => {
  fc.assert(
    fc.property(uint64, uint64, endpoint, (first, second, address) => {
      const request = { guid: first, time: second };
      expect(readConnectionRequest(encodeConnectionRequest(request))).toEqual(request);
      const accepted = readConnectionAccepted(
        encodeConnectionAccepted({ client: address, requestTime: first, time: second }),
      );
      expect(plain(accepted?.client)).toEqual(plain(address));
      expect(accepted).toMatchObject({ requestTime: first, time: second });
      const incoming = readNewIncomingConnection(
        encodeNewIncomingConnection({ server: address, acceptedTime: first, time: second }),
      );
      expect(plain(incoming?.server)).toEqual(plain(address));
      expect(incoming).toMatchObject({ acceptedTime: first, time: second });
      expect(readConnectedPing(encodeConnectedPing(first))).toBe(first);
      const pong = { pingTime: first, time: second };
      expect(readConnectedPong(encodeConnectedPong(pong))).toEqual(pong);
    }),
  );
});

test("an acceptance has the bytes that a server of the game sends", () => {
  const client = { ip: Uint8Array.of(127, 0, 0, 1), port: 19_132 };
  const bytes = encodeConnectionAccepted({ client, requestTime: 1n, time: 2n });
  expect(bytes.toString("hex")).toBe(
    `100480fffffe4abc0000${"04ffffffff0000".repeat(20)}00000000000000010000000000000002`,
  );
});

test("a request that asks for RakNet's own encryption is refused", () => {
  const bytes = encodeConnectionRequest({ guid: 1n, time: 2n });
  bytes[17] = 1;
  expect(readConnectionRequest(bytes)).toBeUndefined();
});

test("the end of a connection is told from everything else", () => {
  expect(isDisconnect(encodeDisconnect())).toBe(true);
  expect(isDisconnect(encodeConnectedPing(1n))).toBe(false);
  expect(isDisconnect(Buffer.alloc(0))).toBe(false);
});

test("a message that is cut anywhere is refused", () => {
  const server = { ip: new Uint8Array(16), port: 1 };
  const messages = [
    encodeConnectionRequest({ guid: 1n, time: 2n }),
    encodeConnectionAccepted({ client: server, requestTime: 1n, time: 2n }),
    encodeNewIncomingConnection({ server, acceptedTime: 1n, time: 2n }),
    encodeConnectedPing(1n),
    encodeConnectedPong({ pingTime: 1n, time: 2n }),
  ];
  // Clients may name fewer addresses; then the times follow earlier.
  const fewer = (length: number, whole: number): boolean => (whole - length) % 7 === 0;
  const wronglyRead: string[] = [];
  for (const message of messages) {
    for (let length = 0; length < message.length; length += 1) {
      const cut = message.subarray(0, length);
      const found = readers.filter((read) => read(cut) !== undefined);
      if (!fewer(length, message.length)) wronglyRead.push(...found.map(({ name }) => name));
    }
  }
  expect(wronglyRead).toEqual([]);
});

test("no bytes make a reader throw", () => {
  const id = fc.constantFrom(0x00, 0x03, 0x09, 0x10, 0x13);
  const address = fc.constantFrom("", "04ffffffff0000", "06");
  fc.assert(
    fc.property(id, address, fc.uint8Array({ maxLength: 200 }), (first, hex, rest) => {
      const bytes = Buffer.concat([Buffer.of(first), Buffer.from(hex, "hex"), rest]);
      for (const read of readers) expect(() => read(bytes)).not.toThrow();
    }),
    { numRuns: 2_000 },
  );
});
