import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readFrame } from "./frame.ts";
import { decodeHandshake, encodeHandshake, handshakeFrameBytesMax } from "./handshake.ts";
import { detectLegacy } from "./legacy.ts";
import { hasForgeMarker } from "./host.ts";
import {
  decodeLoginStart,
  encodeLoginStart,
  loginStartFrameBytesMax,
  showsProfileKey,
} from "./login.ts";
import { recordedClients } from "./recorded-clients.ts";
import { readStatusResponse } from "./status.ts";

function handshakeOf(bytes: Buffer) {
  const frame = readFrame(bytes, 0, handshakeFrameBytesMax);
  if (frame.kind !== "packet") return frame;
  return decodeHandshake(bytes, frame.bodyStart, frame.bodyEnd);
}

function loginOf(bytes: Buffer, protocol: number) {
  const frame = readFrame(bytes, 0, loginStartFrameBytesMax);
  if (frame.kind !== "packet") throw new Error(frame.kind);
  return decodeLoginStart(bytes, frame.bodyStart, frame.bodyEnd, protocol);
}

function frame(id: number, body: Uint8Array): Buffer {
  return Buffer.from([1 + body.length, id, ...body]);
}

describe("first packets of recorded clients", () => {
  test.each(recordedClients)("$version $intent is read exactly", (client) => {
    const bytes = Buffer.from(client.hex, "hex");
    expect(detectLegacy(bytes)).toEqual({ kind: "modern" });
    const first = readFrame(bytes, 0, handshakeFrameBytesMax);
    if (first.kind !== "packet") throw new Error(first.kind);
    expect(first.id).toBe(0);
    expect(decodeHandshake(bytes, first.bodyStart, first.bodyEnd)).toMatchObject({
      ok: true,
      handshake: {
        protocol: client.protocol,
        host: client.host,
        suffix: "",
        intent: client.intent,
      },
    });
    const second = readFrame(bytes, first.bodyEnd, loginStartFrameBytesMax);
    if (second.kind !== "packet") throw new Error(second.kind);
    expect(second.bodyEnd).toBe(bytes.length);
    if (client.intent === "status") expect(second.bodyStart).toBe(second.bodyEnd);
    else {
      expect(decodeLoginStart(bytes, second.bodyStart, second.bodyEnd, client.protocol)).toEqual({
        ok: true,
        name: "Steve_01",
        nameValid: true,
        profileKey: undefined,
      });
    }
  });

  test.each(recordedClients)("$version $intent cut anywhere asks for more", (client) => {
    const bytes = Buffer.from(client.hex, "hex");
    const first = readFrame(bytes, 0, handshakeFrameBytesMax);
    if (first.kind !== "packet") throw new Error(first.kind);
    for (let cut = 0; cut < first.bodyEnd; cut++) {
      expect(readFrame(bytes.subarray(0, cut), 0, handshakeFrameBytesMax).kind).toBe("need-more");
    }
    for (let cut = first.bodyEnd; cut < bytes.length; cut++) {
      expect(readFrame(bytes.subarray(0, cut), first.bodyEnd, handshakeFrameBytesMax).kind).toBe(
        "need-more",
      );
    }
  });
});

describe("frames", () => {
  test("a varint bomb is malformed after three bytes", () => {
    expect(readFrame(Buffer.from("ffff", "hex"), 0, 64).kind).toBe("need-more");
    expect(readFrame(Buffer.from("ffffff", "hex"), 0, 64)).toEqual({
      kind: "malformed",
      reason: "length-too-long",
    });
  });

  test("a 2 MB handshake is malformed by its length alone", () => {
    expect(readFrame(Buffer.from("ffff7f", "hex"), 0, handshakeFrameBytesMax)).toEqual({
      kind: "malformed",
      reason: "frame-too-long",
      frameBytes: 2_097_151,
    });
  });

  test("an empty frame and an id longer than its frame are malformed", () => {
    expect(readFrame(Buffer.from("00", "hex"), 0, 64)).toMatchObject({ reason: "frame-empty" });
    expect(readFrame(Buffer.from("0180", "hex"), 0, 64)).toMatchObject({
      reason: "id-malformed",
    });
  });
});

describe("handshake", () => {
  const port = 25_565;
  const suffixes = ["\0FML\0", "\0FML2\0", "\0FML3\0", "\0FORGE", "\0FORGE5"];

  test.each([
    ...suffixes,
    "\u0000203.0.113.7\0f84c6a790a4e45e0879bcd49ebd4c4e2",
    "///1.2.3.4:5///6",
  ])("suffix %j is cut from the host and kept", (suffix) => {
    for (const host of ["Play.Example.ORG", "play.example.org."]) {
      const bytes = encodeHandshake({ protocol: 47, host: host + suffix, port, intent: "login" });
      expect(handshakeOf(bytes)).toEqual({
        ok: true,
        handshake: { protocol: 47, host: "play.example.org", suffix, port, intent: "login" },
      });
    }
  });

  test("only a Forge client is recognised by its marker", () => {
    for (const suffix of [...suffixes, "\0FML2", "\x00203.0.113.7\0uuid\0FML\0"]) {
      expect(hasForgeMarker(suffix), suffix).toBe(true);
    }
    for (const suffix of ["", "\0", "\0FMLX\0", "///FML\0", "\0forge", "FORGE"]) {
      expect(hasForgeMarker(suffix), suffix).toBe(false);
    }
  });

  test("a host outside ASCII is compared as punycode", () => {
    const bytes = encodeHandshake({ protocol: 47, host: "Игра.РФ", port, intent: "status" });
    expect(handshakeOf(bytes)).toMatchObject({ handshake: { host: "xn--80afo7a.xn--p1ai" } });
  });

  test.each(["play.example.org/é", "play.example.org#é", "play\u0001.example.org"])(
    "%j is no host, whatever a part of it would be",
    (host) => {
      const bytes = encodeHandshake({ protocol: 47, host, port, intent: "status" });
      expect(handshakeOf(bytes)).toMatchObject({ ok: true, handshake: { host: "" } });
    },
  );

  test("a full stop of another script ends a name as a dot does", () => {
    const host = "play.example.org。";
    const bytes = encodeHandshake({ protocol: 47, host, port, intent: "status" });
    expect(handshakeOf(bytes)).toMatchObject({ handshake: { host: "play.example.org" } });
  });

  test("a host of more than 253 octets is no host", () => {
    const bytes = encodeHandshake({ protocol: 47, host: "a".repeat(254), port, intent: "status" });
    expect(handshakeOf(bytes)).toMatchObject({ ok: true, handshake: { host: "" } });
  });

  test("a label of more than 63 characters is no host, and never becomes punycode", () => {
    for (const host of [`${"a".repeat(64)}.example.org`, `${"漢".repeat(64)}.example.org`]) {
      const bytes = encodeHandshake({ protocol: 47, host, port, intent: "status" });
      expect(handshakeOf(bytes)).toMatchObject({ ok: true, handshake: { host: "" } });
    }
  });

  test("bytes left over and unknown intents are faults", () => {
    const good = encodeHandshake({ protocol: 47, host: "a.b", port, intent: "status" });
    const trailing = frame(0, Buffer.concat([good.subarray(2), Buffer.from([0])]));
    expect(handshakeOf(trailing)).toEqual({ ok: false, reason: "handshake-malformed" });
    for (const intent of [0, 4, 0x7f]) {
      const bytes = Buffer.from(good);
      bytes[bytes.length - 1] = intent;
      expect(handshakeOf(bytes)).toEqual({ ok: false, reason: "intent-unknown" });
    }
  });
});

describe("login start", () => {
  const uuid = Buffer.alloc(16, 7);
  const name = Buffer.from("0553746576 65".replace(" ", ""), "hex");

  test("a profile key of 1.19 and 1.19.2 is found and skipped, whatever it contains", () => {
    const key = Buffer.concat([
      Buffer.from([1]),
      Buffer.from([0, 0, 0, 0, 0, 0, 0, 9]),
      Buffer.from([4, 1, 2, 3, 4]),
      Buffer.from([2, 1, 2]),
    ]);
    const of759 = frame(0, Buffer.concat([name, key]));
    const of760 = frame(0, Buffer.concat([name, key, Buffer.from([1]), uuid]));
    const profileKey = { expiresAtMs: 9, isReadable: false };
    const read = { ok: true, name: "Steve", nameValid: true, profileKey };
    expect(loginOf(of759, 759)).toEqual(read);
    expect(loginOf(of760, 760)).toEqual(read);
    const without = frame(0, Buffer.concat([name, Buffer.from([0])]));
    expect(loginOf(without, 759)).toEqual({ ...read, profileKey: undefined });
    expect([758, 759, 760, 761].map(showsProfileKey)).toEqual([false, true, true, false]);
    expect(loginOf(of760, 759)).toEqual({ ok: false, reason: "login-start-malformed" });
  });

  test.each(["", "a".repeat(17), "Steve-1", "§cSteve", "Стив", "a b"])(
    "name %j is read and marked invalid",
    (bad) => {
      expect(loginOf(encodeLoginStart(bad), 758)).toEqual({
        ok: true,
        name: bad.slice(0, 16),
        nameValid: false,
        profileKey: undefined,
      });
    },
  );

  test("a name longer than any a client sends is malformed", () => {
    expect(loginOf(encodeLoginStart("a".repeat(65)), 758).ok).toBe(false);
  });

  test("a key announced longer than the cap is malformed, not allocated", () => {
    const announced = Buffer.concat([
      name,
      Buffer.from([1]),
      Buffer.alloc(8),
      Buffer.from("ffffffff07", "hex"),
    ]);
    expect(loginOf(frame(0, announced), 759).ok).toBe(false);
  });

  test("only the name is read of an unknown version", () => {
    expect(loginOf(encodeLoginStart("Steve", Buffer.alloc(33)), 0x40000123).ok).toBe(true);
  });
});

describe("hostile bytes", () => {
  test("random, truncated and mutated bytes never throw in any decoder", () => {
    const recorded = fc.constantFrom(...recordedClients.map(({ hex }) => Buffer.from(hex, "hex")));
    const mutated = fc
      .tuple(recorded, fc.array(fc.tuple(fc.nat(60), fc.nat(255)), { maxLength: 4 }), fc.nat(60))
      .map(([bytes, changes, cut]) => {
        const copy = Buffer.from(bytes);
        for (const [at, value] of changes) if (at < copy.length) copy[at] = value;
        return copy.subarray(0, cut === 0 ? copy.length : cut);
      });
    const random = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(fc.oneof(mutated, random), fc.integer(), (bytes, protocol) => {
        detectLegacy(bytes);
        readStatusResponse(bytes);
        const result = readFrame(bytes, 0, 256);
        if (result.kind !== "packet") return;
        expect(result.bodyEnd).toBeLessThanOrEqual(bytes.length);
        decodeHandshake(bytes, result.bodyStart, result.bodyEnd);
        const login = decodeLoginStart(bytes, result.bodyStart, result.bodyEnd, protocol);
        if (login.ok) expect(login.name.length).toBeLessThanOrEqual(16);
      }),
      { numRuns: 3000 },
    );
  });
});
