import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { componentFromText } from "./chat.ts";
import type { ClientInformation } from "./client-information.ts";
import { keepAliveIdMax, type ClientPacket } from "./client-packet.ts";
import {
  decodeConfigurationPacket,
  encodeConfigurationBrand,
  encodeConfigurationDisconnect,
  encodeConfigurationInformation,
  encodeConfigurationKeepAlive,
  encodeConfigurationKeepAliveAnswer,
} from "./configuration.ts";
import {
  canTransfer,
  decodeCookieResponse,
  encodeLoginCookieRequest,
  encodeLoginCookieResponse,
  encodeStoreCookie,
  encodeTransfer,
} from "./cookies.ts";
import { decodeEncryptionResponse, encodeEncryptionRequest } from "./encryption.ts";
import { readFrame } from "./frame.ts";
import { acknowledgesLogin, encodeLoginSuccess, loginAcknowledged } from "./login-success.ts";
import {
  decodePlayPacket,
  encodePlayBrand,
  encodePlayDisconnect,
  encodePlayInformation,
  encodePlayKeepAlive,
  encodePlayKeepAliveAnswer,
} from "./play.ts";
import { pluginMessageFrameBytesMax } from "./plugin-message.ts";
import { recordedPackets } from "./recorded-packets.ts";
import { encodeTextNbt } from "./text-nbt.ts";
import { knownReleases } from "./versions.ts";

const keepAliveId = 0x12345678n;
const reason = componentFromText("§cNo §lé");
const profile = {
  uuid: Buffer.from("e4270dab5764390b8cc60cf94d9aeee9", "hex"),
  name: "Steve_01",
};
const snapshot = 0x40000123;

/** A client's packet in the state it is in once logged in. */
function decode(protocol: number, bytes: Buffer): ClientPacket | "need-more" | "malformed-frame" {
  const frame = readFrame(bytes, 0, pluginMessageFrameBytesMax);
  if (frame.kind === "need-more") return "need-more";
  if (frame.kind === "malformed") return "malformed-frame";
  const decodeState = acknowledgesLogin(protocol) ? decodeConfigurationPacket : decodePlayPacket;
  return decodeState(protocol, frame.id, bytes, frame.bodyStart, frame.bodyEnd);
}

function bodyOf(bytes: Buffer): [Buffer, number, number] {
  const frame = readFrame(bytes, 0, 0xffff);
  if (frame.kind !== "packet") throw new Error(frame.kind);
  return [bytes, frame.bodyStart, frame.bodyEnd];
}

const hex = (bytes: Uint8Array | undefined): string | undefined =>
  bytes === undefined ? undefined : Buffer.from(bytes).toString("hex");

function informationOf(protocol: number): ClientInformation {
  return {
    locale: "en_us",
    viewDistance: 6,
    chatMode: 1,
    chatColours: true,
    skinParts: protocol < 47 ? 1 : 0x7f,
    mainHand: protocol < 107 ? undefined : 1,
  };
}

describe.each(recordedPackets)("$version, as a real library has it:", (recorded) => {
  const { protocol } = recorded;
  const isConfigured = acknowledgesLogin(protocol);

  test("the packets that an edge writes", () => {
    expect(hex(encodeLoginSuccess(protocol, profile))).toBe(recorded.success);
    const request = {
      serverId: "",
      publicKey: Buffer.from("30013002", "hex"),
      verifyToken: Buffer.from("a1b2c3d4", "hex"),
    };
    expect(hex(encodeEncryptionRequest(protocol, request))).toBe(recorded.encryptionRequest);
    const keepAlive = isConfigured ? encodeConfigurationKeepAlive : encodePlayKeepAlive;
    expect(hex(keepAlive(protocol, keepAliveId))).toBe(recorded.keepAlive);
    const disconnect = isConfigured ? encodeConfigurationDisconnect : encodePlayDisconnect;
    expect(hex(disconnect(protocol, reason))).toBe(recorded.disconnect);
  });

  test("the packets that an edge reads, as tests and probes write them", () => {
    const information = informationOf(protocol);
    const [answer, brand, settings] = isConfigured
      ? [
          encodeConfigurationKeepAliveAnswer,
          encodeConfigurationBrand,
          encodeConfigurationInformation,
        ]
      : [encodePlayKeepAliveAnswer, encodePlayBrand, encodePlayInformation];
    expect(hex(answer(protocol, keepAliveId))).toBe(recorded.keepAliveAnswer);
    expect(hex(brand(protocol, "vanilla"))).toBe(recorded.brand);
    expect(hex(settings(protocol, information))).toBe(recorded.information);
    const packets: readonly [string, ClientPacket][] = [
      [recorded.keepAliveAnswer, { kind: "keep-alive", id: keepAliveId }],
      [recorded.brand, { kind: "brand", brand: "vanilla" }],
      [recorded.information, { kind: "client-information", information }],
    ];
    for (const [text, packet] of packets) {
      const bytes = Buffer.from(text, "hex");
      expect(decode(protocol, bytes)).toEqual(packet);
      for (let cut = 0; cut < bytes.length; cut++) {
        expect(decode(protocol, bytes.subarray(0, cut))).toBe("need-more");
      }
    }
  });

  test("an encrypted and a signed token are read, and neither too short nor too long", () => {
    const read = (text: string) =>
      decodeEncryptionResponse(...bodyOf(Buffer.from(text, "hex")), protocol);
    const encryptedSecret = Buffer.of(1, 2);
    expect(read(recorded.encryptionResponse)).toEqual({
      ok: true,
      encryptedSecret,
      proof: { kind: "token", encryptedToken: Buffer.of(3, 4) },
    });
    if (recorded.encryptionSigned !== undefined) {
      expect(read(recorded.encryptionSigned)).toEqual({
        ok: true,
        encryptedSecret,
        proof: { kind: "signature", salt: -2n, signature: Buffer.of(5, 6) },
      });
    }
    const [bytes, start, end] = bodyOf(Buffer.from(recorded.encryptionResponse, "hex"));
    for (let cut = start; cut < end; cut++) {
      expect(decodeEncryptionResponse(bytes, start, cut, protocol).ok).toBe(false);
    }
    const longer = Buffer.concat([bytes, Buffer.of(0)]);
    expect(decodeEncryptionResponse(longer, start, end + 1, protocol).ok).toBe(false);
  });

  test("cookies and transfers from 1.20.5 on, none before", () => {
    const cookie = Buffer.of(7, 8);
    expect(canTransfer(protocol)).toBe(recorded.transfer !== undefined);
    expect(hex(encodeStoreCookie("configuration", protocol, "a:b", cookie))).toBe(
      recorded.storeCookie,
    );
    expect(hex(encodeTransfer("configuration", protocol, "play.example.org", 25_566))).toBe(
      recorded.transfer,
    );
    if (recorded.cookieResponse === undefined) return;
    expect(hex(encodeLoginCookieRequest("a:b"))).toBe(recorded.cookieRequest);
    expect(hex(encodeLoginCookieResponse("a:b", cookie))).toBe(recorded.cookieResponse);
    const answer = Buffer.from(recorded.cookieResponse, "hex");
    expect(decodeCookieResponse(...bodyOf(answer))).toEqual({ ok: true, key: "a:b", cookie });
  });
});

describe("versions that no available library supports", () => {
  test("26.2 names the session in Login Success", () => {
    const before = encodeLoginSuccess(775, profile);
    const after = encodeLoginSuccess(776, profile);
    expect(after.length).toBe(before.length + 16);
    expect(hex(after.subarray(1, before.length))).toBe(hex(before.subarray(1)));
  });

  test("26.3 has a packet in front of Store Cookie and Transfer, and no other before them", () => {
    expect(encodeStoreCookie("configuration", 776, "a:b", Buffer.of(1))?.[1]).toBe(0x0a);
    expect(encodeTransfer("configuration", 776, "a", 1)?.[1]).toBe(0x0b);
    expect(encodeStoreCookie("configuration", 777, "a:b", Buffer.of(1))?.[1]).toBe(0x0b);
    expect(encodeTransfer("configuration", 777, "a", 1)?.[1]).toBe(0x0c);
    expect(encodeConfigurationKeepAlive(777, 1n)?.[1]).toBe(0x04);
  });

  test("1.7.2 has the UUID without hyphens", () => {
    const text = encodeLoginSuccess(4, profile).toString("latin1");
    expect(text).toContain(profile.uuid.toString("hex"));
  });

  test("one later than the table is read as its newest, with fields and packets it may have added", () => {
    const bytes = encodeConfigurationInformation(snapshot, informationOf(snapshot));
    const longer = Buffer.concat([bytes ?? Buffer.alloc(0), Buffer.of(9)]);
    const start = 2;
    expect(decodeConfigurationPacket(snapshot, 0, longer, start, longer.length).kind).toBe(
      "client-information",
    );
    expect(decodeConfigurationPacket(snapshot, 0x7f, longer, start, longer.length).kind).toBe(
      "other",
    );
    expect(decodeConfigurationPacket(777, 0, longer, start, longer.length).kind).toBe("malformed");
    expect(decodeConfigurationPacket(777, 0x7f, longer, start, longer.length).kind).toBe("unknown");
  });
});

describe("each version of the table from 1.7.2 on", () => {
  const later = knownReleases.slice(knownReleases.findIndex(({ version }) => version === "1.7.2"));

  test.each(later)(
    "$version is in exactly one state once logged in, and keeps alive there",
    ({ protocol }) => {
      const isConfigured = acknowledgesLogin(protocol);
      expect(encodeConfigurationKeepAlive(protocol, 1n) !== undefined).toBe(isConfigured);
      expect(encodePlayKeepAlive(protocol, 1n)).toBeDefined();
      expect(encodeConfigurationDisconnect(protocol, reason) !== undefined).toBe(isConfigured);
      expect(encodePlayDisconnect(protocol, reason)).toBeDefined();
      const answer = isConfigured ? encodeConfigurationKeepAliveAnswer : encodePlayKeepAliveAnswer;
      for (const id of [0n, 1n, keepAliveIdMax]) {
        const bytes = answer(protocol, id) ?? Buffer.alloc(0);
        expect(decode(protocol, bytes)).toEqual({ kind: "keep-alive", id });
      }
      const other = isConfigured ? decodePlayPacket : decodeConfigurationPacket;
      expect(other(protocol, 0, Buffer.alloc(8), 0, 8)).toEqual({ kind: "unknown" });
      expect(encodeStoreCookie("configuration", protocol, "a:b", Buffer.of(1)) !== undefined).toBe(
        canTransfer(protocol),
      );
    },
  );
});

describe("packets of players", () => {
  test("a brand of 1.7 is the bare text as well", () => {
    const bare = Buffer.concat([
      Buffer.from("\u0008MC|Brand"),
      Buffer.of(0, 5),
      Buffer.from("Forge"),
    ]);
    const framed = Buffer.concat([Buffer.of(bare.length + 1, 0x17), bare]);
    expect(decode(5, framed)).toEqual({ kind: "brand", brand: "Forge" });
  });

  test("other channels are named, their data left alone; other packets are stepped over", () => {
    const data = Buffer.concat([Buffer.from("\u0003a:b"), Buffer.alloc(500, 0xff)]);
    const framed = Buffer.concat([Buffer.from([0xf9, 0x03, 0x02]), data]);
    expect(decode(766, framed)).toEqual({ kind: "plugin-message", channel: "a:b" });
    expect(decode(766, Buffer.of(2, 7, 0))).toEqual({ kind: "other" });
    expect(decode(766, Buffer.of(1, 3))).toEqual({ kind: "configuration-finished" });
    expect(decode(766, Buffer.of(2, 8, 0))).toEqual({ kind: "unknown" });
    expect(decode(47, Buffer.of(2, 0x03, 1))).toEqual({ kind: "other" });
    expect(decode(47, Buffer.of(2, 0x1a, 1))).toEqual({ kind: "unknown" });
  });

  test("an announced length larger than what may be there is malformed, and nothing is allocated", () => {
    const huge = Buffer.from("ffffffff07", "hex");
    expect(decodeCookieResponse(Buffer.concat([huge, Buffer.of(1)]), 0, 6).ok).toBe(false);
    const cookie = Buffer.concat([Buffer.from("\u0003a:b"), Buffer.of(1), huge]);
    expect(decodeCookieResponse(cookie, 0, cookie.length).ok).toBe(false);
    expect(decodeEncryptionResponse(huge, 0, huge.length, 766).ok).toBe(false);
    const brand = Buffer.concat([Buffer.from("\u000fminecraft:brand"), huge]);
    expect(decodeConfigurationPacket(766, 2, brand, 0, brand.length).kind).toBe("malformed");
  });

  test("no cookie under the name is an answer", () => {
    const answer = encodeLoginCookieResponse("a:b", undefined);
    expect(decodeCookieResponse(...bodyOf(answer))).toEqual({ ok: true, key: "a:b" });
    expect(hex(loginAcknowledged)).toBe("0103");
  });

  test("hostile bytes of any version never throw", () => {
    const recorded = recordedPackets.flatMap((packets) =>
      [packets.information, packets.brand, packets.encryptionResponse].map((text) =>
        Buffer.from(text, "hex"),
      ),
    );
    const protocols = fc.oneof(
      fc.constantFrom(...knownReleases.map(({ protocol }) => protocol)),
      fc.integer(),
    );
    const mutated = fc
      .tuple(fc.constantFrom(...recorded), fc.array(fc.tuple(fc.nat(60), fc.nat(255))))
      .map(([bytes, changes]) => {
        const copy = Buffer.from(bytes);
        for (const [at, value] of changes) if (at < copy.length) copy[at] = value;
        return copy;
      });
    const random = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(fc.oneof(mutated, random), protocols, fc.integer(), (bytes, protocol, id) => {
        const end = bytes.length;
        decode(protocol, bytes);
        decodeConfigurationPacket(protocol, id & 0x0f, bytes, 0, end);
        decodePlayPacket(protocol, id & 0x3f, bytes, 0, end);
        decodeConfigurationPacket(protocol, id, bytes, 0, end);
        decodePlayPacket(protocol, id, bytes, 0, end);
        decodeCookieResponse(bytes, 0, end);
        decodeEncryptionResponse(bytes, 0, end, protocol);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("text as NBT", () => {
  test("one run has its text and style in one compound", () => {
    expect(hex(encodeTextNbt(componentFromText("§lhi")))).toBe(
      "0a0800047465787400026869010004626f6c640100",
    );
  });

  test("NUL and what lies beyond 16 bits are as Java writes them", () => {
    expect(hex(encodeTextNbt({ text: "\0😀" }))).toBe("0a080004746578740008c080eda0bdedb88000");
  });

  test("a text longer than a string can be is cut, at a whole character of it", () => {
    const bytes = encodeTextNbt({ text: "漢".repeat(30_000) });
    expect(bytes.readUInt16BE(8)).toBe(65_535);
    expect(bytes.length).toBe(10 + 65_535 + 1);
  });
});
