import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeFrameSet, reliabilities, type Frame } from "./frames.ts";
import { encodePlainBatch } from "./game-batch.ts";
import { encodeLogin, encodeSettingsRequest } from "./game-packets.ts";
import { LoginReader } from "./login-reader.ts";
import { recordedLogins } from "../testing/recorded-logins.ts";

/** The reader believes every signature. */
function tokenOf(claims: object): string {
  const [header, body] = [{ alg: "ES384" }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  return `${header}.${body}.${"A".repeat(128)}`;
}

const steve = { displayName: "Steve", xuid: "2535400000000000" };
const identity = "11111111-2222-3333-4444-555555555555";
const chain = [
  tokenOf({ identityPublicKey: "k".repeat(160) }),
  tokenOf({ identityPublicKey: "m".repeat(160), randomNonce: 1_234_567_890 }),
  tokenOf({ extraData: { displayName: "Steve", XUID: steve.xuid, identity } }),
];
const certificate = JSON.stringify({ chain });
const wrapped = JSON.stringify({ AuthenticationType: 0, Certificate: certificate, Token: "" });

/** Bytes that compress badly, as a skin of many colours. */
const skin = Array.from({ length: 60_000 }, (_, place) => ((place * place * 31) % 997) + place);
const clientData = Buffer.from(skin.join("")).toString("base64url");

interface Cutting {
  readonly partBytes: number;
  readonly firstIndex: number;
  readonly splitId: number;
}

/** A message in one frame, or in parts as a client sends it. */
function framesOf(message: Buffer, { partBytes, firstIndex, splitId }: Cutting): readonly Frame[] {
  const count = Math.ceil(message.length / partBytes);
  return Array.from({ length: count }, (_, index) => ({
    reliability: reliabilities.reliableOrdered,
    reliableIndex: firstIndex + index,
    sequenceIndex: undefined,
    order: { index: splitId, channel: 0 },
    split: count === 1 ? undefined : { count, id: splitId, index },
    body: message.subarray(index * partBytes, (index + 1) * partBytes),
  }));
}

const request = (protocol: number): readonly Frame[] =>
  framesOf(encodePlainBatch([encodeSettingsRequest(protocol)]), {
    partBytes: 1_000,
    firstIndex: 0,
    splitId: 0,
  });

function loginFrames(protocol: number, envelope: string, head: Buffer): readonly Frame[] {
  const login = encodeLogin({ protocol, identity: envelope }, clientData);
  const batch = encodePlainBatch([login]).subarray(1);
  const packed = head.at(-1) === 0xff ? batch : deflateRawSync(batch);
  const message = Buffer.concat([head, packed]);
  return framesOf(message, { partBytes: 1_300, firstIndex: 1, splitId: 1 });
}

function read(frames: readonly Frame[]): LoginReader {
  const reader = new LoginReader();
  for (const [place, frame] of frames.entries()) {
    const datagram = encodeFrameSet(place, [frame]);
    reader.receive(datagram);
    // The socket's buffer is used again for the next datagram.
    datagram.fill(0);
  }
  return reader;
}

describe("the login of a recorded client of", () => {
  test.each(recordedLogins)("$version is read from its first parts", ({ protocol, datagrams }) => {
    const reader = new LoginReader();
    for (const text of datagrams) {
      expect(reader.isOver).toBe(false);
      reader.receive(Buffer.from(text, "base64"));
    }
    expect(reader.login).toMatchObject({
      protocol,
      displayName: "Alex",
      xuid: "",
      identity: "48ecec01-e178-37a1-a131-aab44447b2b6",
    });
    expect(reader.isOver).toBe(true);
  });
});

describe("a login with a chain of three tokens", () => {
  test.each([
    ["1.18.30, deflate", 503, certificate, [], Buffer.of(0xfe)],
    ["1.20.30, deflate", 618, certificate, request(618), Buffer.of(0xfe)],
    ["1.20.80, deflate by name", 671, certificate, request(671), Buffer.of(0xfe, 0)],
    ["1.20.80, not compressed", 671, certificate, request(671), Buffer.of(0xfe, 0xff)],
    ["1.21.90, chain within a text", 818, wrapped, request(818), Buffer.of(0xfe, 0)],
  ])("for %s is read", (_, protocol, envelope, first, head) => {
    const { login } = read([...first, ...loginFrames(protocol, envelope, head)]);
    expect(login).toEqual({ protocol, ...steve, identity, chain, token: "" });
  });

  test("is read whatever the order of its parts, and with parts that come twice", () => {
    const frames = loginFrames(818, wrapped, Buffer.of(0xfe, 0));
    const copies = fc.shuffledSubarray([...frames, ...frames.slice(0, 20)], {
      minLength: frames.length + 20,
    });
    fc.assert(
      fc.property(copies, (mixed) => {
        expect(read([...request(818), ...mixed]).login).toMatchObject(steve);
      }),
      { numRuns: 50 },
    );
  });

  test("is not read as long as one of its first parts is missing", () => {
    const [, ...rest] = loginFrames(818, wrapped, Buffer.of(0xfe, 0));
    const reader = read([...request(818), ...rest]);
    expect(reader.login).toBeUndefined();
    expect(reader.isOver).toBe(false);
  });

  test("tells the announced length of its identity, and of the whole by the number of its parts", () => {
    const frames = loginFrames(818, wrapped, Buffer.of(0xfe, 0));
    const reader = read([...request(818), ...frames]);
    expect(reader.identityBytes).toBe(Buffer.byteLength(wrapped));
    expect(reader.messageBytes).toBe(frames.length * 1_300);
    const long = read([
      ...request(818),
      ...loginFrames(818, "x".repeat(90_000), Buffer.of(0xfe, 0)),
    ]);
    expect([long.identityBytes, long.login, long.isOver]).toEqual([90_000, undefined, true]);
    expect(read(request(818)).identityBytes).toBe(0);
  });

  test("has a token of the OpenID service beside or instead of the chain", () => {
    const token = tokenOf({ xname: "Alex", xid: "12" });
    const both = JSON.stringify({ AuthenticationType: 0, Certificate: certificate, Token: token });
    const only = JSON.stringify({ AuthenticationType: 0, Certificate: "", Token: token });
    const head = Buffer.of(0xfe, 0);
    const first = read([...request(818), ...loginFrames(818, both, head)]).login;
    expect(first).toMatchObject({ ...steve, token });
    const second = read([...request(944), ...loginFrames(944, only, head)]).login;
    expect(second).toMatchObject({ displayName: "Alex", xuid: "12", chain: [], token });
  });
});

describe("a client that does not log in as the game does", () => {
  test.each([
    ["no JSON", "{"],
    ["no object", "[]"],
    ["no chain", "{}"],
    ["a chain of texts that are no tokens", '{"chain":["a","b"]}'],
    ["a chain of numbers", '{"chain":[1,2,3]}'],
    ["a long chain", JSON.stringify({ chain: Array.from({ length: 9 }, () => chain[2]) })],
    ["a chain within a text that is none", '{"Certificate":"{","Token":""}'],
  ])("with %s is given up without an error", (_, envelope) => {
    const frames = [...request(818), ...loginFrames(818, envelope, Buffer.of(0xfe, 0))];
    expect(read(frames).login).toBeUndefined();
  });

  test("is given up after some messages, some datagrams or some messages in parts", () => {
    const message = framesOf(Buffer.of(0xfe, 1), { partBytes: 9, firstIndex: 0, splitId: 0 });
    expect(read(Array.from({ length: 16 }, () => message).flat()).isOver).toBe(true);
    const parts = [1, 2, 3].flatMap((splitId) =>
      framesOf(Buffer.of(0xfe, 1), { partBytes: 1, firstIndex: 0, splitId }).slice(0, 1),
    );
    expect(read(parts).isOver).toBe(true);
    const others = Array.from({ length: 512 }, () => ({
      ...request(818)[0],
      body: Buffer.of(0),
    }));
    expect(read(others as readonly Frame[]).isOver).toBe(true);
  });

  test("with a bomb of deflate costs no more than the start of a login", () => {
    const bomb = Buffer.concat([Buffer.of(0xfe, 0), deflateRawSync(Buffer.alloc(30_000_000))]);
    const frames = framesOf(bomb, { partBytes: 1_300, firstIndex: 1, splitId: 1 });
    expect(read([...request(818), ...frames]).login).toBeUndefined();
  });

  test("on another channel, or unordered, is not read", () => {
    const frames = loginFrames(818, wrapped, Buffer.of(0xfe, 0));
    const other = frames.map((frame) => ({ ...frame, order: { index: 1, channel: 1 } }));
    expect(read([...request(818), ...other]).login).toBeUndefined();
    const loose = frames.map((frame) => ({
      ...frame,
      reliability: reliabilities.reliable,
      order: undefined,
    }));
    expect(read([...request(818), ...loose]).login).toBeUndefined();
  });
});

test("no datagrams make the reader throw, also where real ones are changed in a byte", () => {
  const known = recordedLogins.map(({ datagrams }) =>
    datagrams.map((text) => Buffer.from(text, "base64")),
  );
  const change = fc.tuple(fc.nat(9), fc.nat(2_000), fc.nat(255));
  fc.assert(
    fc.property(
      fc.constantFrom(...known),
      fc.array(change, { maxLength: 6 }),
      fc.uint8Array({ maxLength: 100 }),
      (datagrams, changes, rest) => {
        const reader = new LoginReader();
        const copies = datagrams.map((each) => Buffer.from(each));
        for (const [place, at, value] of changes) {
          const datagram = copies[place % copies.length];
          if (datagram !== undefined) datagram[at % datagram.length] = value;
        }
        for (const datagram of copies) reader.receive(datagram);
        reader.receive(Buffer.concat([Buffer.of(0x84), rest]));
        if (changes.length === 0) expect(reader.login?.displayName).toBe("Alex");
      },
    ),
    { numRuns: 1_000 },
  );
});
