import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  encodeIncompatibleProtocol,
  encodeOpenReply1,
  encodeOpenReply2,
  encodeOpenRequest1,
  encodeOpenRequest2,
  encodePing,
  encodePong,
  encodeRefusal,
  readOpenReply1,
  readOpenReply2,
  readOpenRequest1,
  readOpenRequest2,
  readPing,
  readPong,
} from "./offline-messages.ts";

const magic = "00ffff00fefefefefdfdfdfd12345678";
const hex = (bytes: Buffer): string => bytes.toString("hex");

const guid = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const port = fc.integer({ min: 0, max: 65_535 });
const mtu = port;
const ip = fc.oneof(
  fc.uint8Array({ minLength: 4, maxLength: 4 }),
  fc.uint8Array({ minLength: 16, maxLength: 16 }),
);
const endpoint = fc.record({ ip, port });
const cookie = fc.option(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { nil: undefined });
const plain = (value: { ip: Uint8Array; port: number }) => ({
  ip: [...value.ip],
  port: value.port,
});

const readers = [
  readPing,
  readPong,
  readOpenRequest1,
  readOpenReply1,
  (bytes: Buffer) => readOpenRequest2(bytes, true),
  (bytes: Buffer) => readOpenRequest2(bytes, false),
  readOpenReply2,
];

describe("bytes field by field, as minecraft.wiki gives them", () => {
  test("a ping and its pong", () => {
    const bytes = `01000000000000002a${magic}0000000000000007`;
    expect(hex(encodePing(42n, 7n))).toBe(bytes);
    expect(readPing(Buffer.from(bytes, "hex"))).toEqual({
      time: 42n,
      guid: 7n,
      bytes: 33,
      isOpenOnly: false,
    });
    expect(readPing(Buffer.from(`02${bytes.slice(2)}`, "hex"))?.isOpenOnly).toBe(true);
    expect(hex(encodePong(42n, 9n, Buffer.from("MCPE;")))).toBe(
      `1c000000000000002a0000000000000009${magic}00054d4350453b`,
    );
  });

  test("both requests and their replies", () => {
    expect(hex(encodeOpenRequest1(11, 24))).toBe(`05${magic}0b000000000000`);
    expect(hex(encodeOpenReply1({ guid: 9n, cookie: 0x01020304, mtu: 1_400 }))).toBe(
      `06${magic}000000000000000901010203040578`,
    );
    expect(hex(encodeOpenReply1({ guid: 9n, cookie: undefined, mtu: 1_400 }))).toBe(
      `06${magic}0000000000000009000578`,
    );
    const server = { ip: Uint8Array.of(127, 0, 0, 1), port: 19_132 };
    expect(hex(encodeOpenRequest2({ cookie: 0x01020304, server, mtu: 1_400, guid: 7n }))).toBe(
      `07${magic}01020304000480fffffe4abc05780000000000000007`,
    );
    expect(hex(encodeOpenReply2({ guid: 9n, client: server, mtu: 1_400 }))).toBe(
      `08${magic}00000000000000090480fffffe4abc057800`,
    );
  });

  test("refusals", () => {
    expect(hex(encodeRefusal("banned", 9n))).toBe(`17${magic}0000000000000009`);
    expect(hex(encodeIncompatibleProtocol(11, 9n))).toBe(`190b${magic}0000000000000009`);
  });
});

test("written messages are read back", () => {
  fc.assert(
    fc.property(guid, guid, mtu, cookie, endpoint, (time, id, size, secret, address) => {
      expect(readPing(encodePing(time, id))).toEqual({
        time,
        guid: id,
        bytes: 33,
        isOpenOnly: false,
      });
      const text = `MCPE;${size};`;
      expect(readPong(encodePong(time, id, Buffer.from(text)))).toEqual({
        time,
        guid: id,
        advertisement: text,
      });
      const reply = { guid: id, cookie: secret, mtu: size };
      expect(readOpenReply1(encodeOpenReply1(reply))).toEqual(reply);
      const request = encodeOpenRequest2({ cookie: secret, server: address, mtu: size, guid: id });
      const read = readOpenRequest2(request, secret !== undefined);
      expect(read && { ...read, server: plain(read.server) }).toEqual({
        cookie: secret,
        server: plain(address),
        mtu: size,
        guid: id,
      });
      const opened = readOpenReply2(encodeOpenReply2({ guid: id, client: address, mtu: size }));
      expect(opened && { ...opened, client: plain(opened.client) }).toEqual({
        guid: id,
        client: plain(address),
        mtu: size,
      });
    }),
  );
});

test("no bytes make a reader throw, and none of other messages are taken", () => {
  const id = fc.constantFrom(0x01, 0x02, 0x05, 0x06, 0x07, 0x08, 0x1c, 0x84);
  fc.assert(
    fc.property(id, fc.boolean(), fc.uint8Array({ maxLength: 120 }), (first, isMagic, rest) => {
      const at = first === 0x1c ? 16 : first <= 0x02 ? 8 : 0;
      const body = Buffer.concat([Buffer.of(first), rest]);
      if (isMagic)
        body.set(
          Buffer.from(magic, "hex").subarray(0, Math.max(0, body.length - 1 - at)),
          Math.min(1 + at, body.length),
        );
      for (const read of readers) {
        const found = read(body);
        if (!isMagic && rest.length < 16) expect(found).toBeUndefined();
      }
    }),
    { numRuns: 2_000 },
  );
});

test.each(readers.map((read, index) => [index, read] as const))(
  "a message that is cut anywhere is refused by reader %i",
  (_, read) => {
    const address = { ip: new Uint8Array(16), port: 1 };
    const messages = [
      encodePong(1n, 2n, Buffer.from("MCPE;a")),
      encodeOpenReply1({ guid: 1n, cookie: 5, mtu: 1_400 }),
      encodeOpenRequest2({ cookie: 5, server: address, mtu: 1_400, guid: 1n }),
      encodeOpenRequest2({ cookie: undefined, server: address, mtu: 1_400, guid: 1n }),
      encodeOpenReply2({ guid: 1n, client: address, mtu: 1_400 }),
    ];
    for (const message of messages.filter((each) => read(each) !== undefined)) {
      // A pong may have no text.
      const shortest = message[0] === 0x1c ? 33 : 0;
      for (let length = 0; length < message.length; length += 1) {
        if (length !== shortest && length !== shortest + 1) {
          expect(read(message.subarray(0, length))).toBeUndefined();
        }
      }
    }
  },
);
