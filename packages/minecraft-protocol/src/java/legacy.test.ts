import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  detectLegacy,
  encodeLegacyKick,
  encodeLegacyStatus,
  type LegacyHelloResult,
  readLegacyHello,
  withForwardedLegacyHost,
} from "./legacy.ts";

/**
 * Transcribed, because no client of these versions can be run here. The ping is the one of minecraft.wiki,
 * "Java Edition protocol/Server List Ping", 1.6; the logins are put together field by field from
 * wiki.vg, "Protocol", Handshake (0x02), of the versions 61 (1.5.2) and 78 (1.6.4).
 */
const transcribed = {
  "ping of 1.6.1":
    "fe01fa000b004d0043007c00500069006e00670048006f0073007400194900090" +
    "06c006f00630061006c0068006f00730074000063dd",
  "login of 1.5.2": `023d${utf16("Steve_01")}${utf16("play.example.org")}000063dd`,
  "login of 1.6.4": `024e${utf16("Steve_01")}${utf16("play.example.org")}000063dd`,
} as const;

function utf16(text: string): string {
  const bytes = Buffer.from(text, "utf16le").swap16();
  return text.length.toString(16).padStart(4, "0") + bytes.toString("hex");
}

function textOf(packet: Buffer): string {
  expect(packet[0]).toBe(0xff);
  expect(packet.readUInt16BE(1)).toBe((packet.length - 3) / 2);
  return Buffer.from(packet.subarray(3)).swap16().toString("utf16le");
}

function read(bytes: Buffer): LegacyHelloResult {
  const result = detectLegacy(bytes);
  const kind = result.kind === "undecided" ? result.otherwise : result.kind;
  if (kind !== "ping-1.6" && kind !== "login") throw new Error(kind);
  return readLegacyHello(bytes, kind);
}

describe("a legacy login as a backend gets it", () => {
  const loginTo = (host: string): Buffer =>
    Buffer.from(`024e${utf16("Steve_01")}${utf16(host)}000063ddaabb`, "hex");

  test.each(["play.example.org", "Play.Example.org.", "play.example.org\0FML\0"])(
    "names the host %j as it was sent, without a copy",
    (host) => {
      const bytes = loginTo(host);
      expect(withForwardedLegacyHost(bytes)).toBe(bytes);
    },
  );

  test.each([
    ["play.example.org\x00203.0.113.7\x00069a79f4", "play.example.org"],
    ["play.example.org\0FML\x00203.0.113.7", "play.example.org\0FML\0"],
    ["play.example.org///203.0.113.7:25565///1700000000", "play.example.org"],
  ])("has nothing of what a client has written behind the host in %j", (host, forwarded) => {
    expect(withForwardedLegacyHost(loginTo(host)).equals(loginTo(forwarded))).toBe(true);
  });
});

describe("the kind of a legacy client", () => {
  test.each([
    ["fe01fa000b004d0043", "ping-1.6"],
    ["fe01fa00", "ping-1.6"],
    ["024e0004004e0061006d0065", "login"],
  ])("%s is %s", (hex, kind) => {
    expect(detectLegacy(Buffer.from(hex, "hex"))).toEqual({ kind });
  });

  test("FE, FE 01 and FE 01 FA alone may go on, and are a whole ping when they do not", () => {
    expect(detectLegacy(Buffer.from("fe", "hex"))).toEqual({
      kind: "undecided",
      otherwise: "ping-1.3",
    });
    expect(detectLegacy(Buffer.from("fe01", "hex"))).toEqual({
      kind: "undecided",
      otherwise: "ping-1.4",
    });
    expect(detectLegacy(Buffer.from("fe01fa", "hex"))).toEqual({
      kind: "undecided",
      otherwise: "ping-1.6",
    });
  });

  test("a modern frame whose length begins with FE is no legacy ping", () => {
    expect(detectLegacy(Buffer.from("fe0100", "hex"))).toEqual({ kind: "modern" });
    expect(detectLegacy(Buffer.from("fe0200", "hex"))).toEqual({ kind: "modern" });
  });
});

describe("the hello of a legacy client", () => {
  test.each([
    ["ping of 1.6.1", { protocol: 73, host: "localhost", suffix: "", name: "", nameValid: false }],
    [
      "login of 1.5.2",
      { protocol: 61, host: "play.example.org", suffix: "", name: "Steve_01", nameValid: true },
    ],
    [
      "login of 1.6.4",
      { protocol: 78, host: "play.example.org", suffix: "", name: "Steve_01", nameValid: true },
    ],
  ] as const)("%s is read exactly, and cut anywhere asks for more", (name, hello) => {
    const bytes = Buffer.from(transcribed[name], "hex");
    expect(read(bytes)).toEqual({ kind: "hello", hello });
    expect(read(Buffer.concat([bytes, Buffer.from("more")]))).toEqual({ kind: "hello", hello });
    for (let cut = hello.name === "" ? 3 : 1; cut < bytes.length; cut++) {
      expect(read(bytes.subarray(0, cut)), String(cut)).toEqual({ kind: "need-more" });
    }
  });

  test("the host is normalised like a modern client's, without suffix and final dots", () => {
    const hex = `024e${utf16("Steve")}${utf16("Play.Example.ORG.\0FML\0")}000063dd`;
    const hello = { host: "play.example.org", suffix: "\0FML\0" };
    expect(read(Buffer.from(hex, "hex"))).toMatchObject({ hello });
  });

  test("a name that no player can have is read and marked invalid", () => {
    const hex = `024e${utf16("§cSteve and more than that")}${utf16("a.b")}000063dd`;
    expect(read(Buffer.from(hex, "hex"))).toMatchObject({
      hello: { name: "§cSteve and more", nameValid: false },
    });
  });

  test.each([
    ["another channel", "fe01fa000b" + "0041".repeat(11)],
    ["a channel of another length", "fe01fa000c"],
    [
      "a rest of another length than announced",
      transcribed["ping of 1.6.1"].replace("0019", "0018"),
    ],
    ["a host announced too long", `fe01fa${utf16("MC|PingHost")}00194e0401`],
    ["a name announced too long", "024effff"],
  ])("%s is malformed as soon as it is seen", (_name, hex) => {
    expect(read(Buffer.from(hex, "hex"))).toEqual({ kind: "malformed" });
  });

  test("random, truncated and mutated bytes never throw", () => {
    const real = fc.constantFrom(
      ...Object.values(transcribed).map((hex) => Buffer.from(hex, "hex")),
    );
    const mutated = fc
      .tuple(real, fc.array(fc.tuple(fc.nat(90), fc.nat(255)), { maxLength: 4 }), fc.nat(90))
      .map(([bytes, changes, cut]) => {
        const copy = Buffer.from(bytes);
        for (const [at, value] of changes) if (at < copy.length) copy[at] = value;
        return copy.subarray(0, cut === 0 ? copy.length : cut);
      });
    const random = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
    const kinds = fc.constantFrom("ping-1.6" as const, "login" as const);
    fc.assert(
      fc.property(fc.oneof(mutated, random), kinds, (bytes, kind) => {
        const result = readLegacyHello(bytes, kind);
        if (result.kind !== "hello") return;
        expect(result.hello.name.length).toBeLessThanOrEqual(16);
        expect(result.hello.host.length).toBeLessThanOrEqual(253);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("an answer to a legacy client", () => {
  test("has the bytes of the protocol's description", () => {
    expect(encodeLegacyKick("§1").toString("hex")).toBe("ff000200a70031");
    const status = { version: "1.21", motd: "§aHi", online: 0, max: 1 };
    expect(textOf(encodeLegacyStatus("ping-1.4", status))).toBe(
      "§1\x00127\x001.21\0§aHi\x000\x001",
    );
    expect(textOf(encodeLegacyStatus("ping-1.3", status))).toBe("aHi§0§1");
  });

  test("is the answer on wiki.vg, byte for byte", () => {
    const answer = {
      protocol: 47,
      version: "1.4.2",
      motd: "A Minecraft Server",
      online: 0,
      max: 20,
    };
    expect(encodeLegacyStatus("ping-1.6", answer).toString("hex")).toBe(
      "ff002300a70031000000340037000000310" +
        "02e0034002e003200000041002000" +
        "4d0069006e00650063007200610066007400200053006500720076006500720000003000000032" +
        "0030",
    );
  });

  test("is cut to the length that a client accepts, between characters and codes, counts kept", () => {
    expect(textOf(encodeLegacyKick("x".repeat(9_999)))).toHaveLength(255);
    expect(textOf(encodeLegacyKick(`${"x".repeat(254)}§cNo`))).toBe("x".repeat(254));
    expect(textOf(encodeLegacyKick(`${"x".repeat(254)}😀`))).toBe("x".repeat(254));
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("§", "a", "\0", "é", "😀"), maxLength: 400 }),
        fc.string({ maxLength: 400 }),
        (motd, version) => {
          const status = { version, motd, online: 12, max: 345 };
          const modern = textOf(encodeLegacyStatus("ping-1.6", status)).split("\0");
          expect(modern).toHaveLength(6);
          expect(modern.slice(4)).toEqual(["12", "345"]);
          const oldest = textOf(encodeLegacyStatus("ping-1.3", status));
          expect(oldest.length).toBeLessThanOrEqual(255);
          expect(oldest.split("§").slice(1)).toEqual(["12", "345"]);
        },
      ),
    );
  });
});
