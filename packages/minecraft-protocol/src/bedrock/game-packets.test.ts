import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  encodeBatch,
  encodePlainBatch,
  readPackets,
  unpackBatch,
  type PacketStart,
} from "./game-batch.ts";
import {
  encodeKick,
  encodeLogin,
  encodeNetworkSettings,
  encodeSettingsRequest,
  identityBytesMax,
  readLogin,
  readSettingsRequest,
} from "./game-packets.ts";

const contentMax = 60_000;

/** The packets of each way to unpack the batch. */
function packetsOf(
  batch: Buffer,
  protocol: number | undefined,
  isWhole = true,
): readonly (readonly PacketStart[])[] {
  return [...unpackBatch(batch, isWhole, protocol, contentMax)]
    .map(readPackets)
    .filter((packets) => packets !== undefined);
}

describe("packets are byte for byte those of bedrock-protocol 3.59", () => {
  const text = "Hé §c☃";
  const message = "0a48c3a920c2a763e29883";

  test.each([
    ["1.16.201", undefined, `0500${message}`],
    ["1.18.30", undefined, `0500${message}`],
    ["1.19.30", 554, `0500${message}`],
    ["1.20.30", 618, `0500${message}`],
    ["1.20.40", 622, `050000${message}`],
    ["1.20.80", 671, `050000${message}`],
    ["1.21.20", 712, `050000${message}00`],
    ["1.21.130", 898, `050000${message}00`],
    ["1.26.60", 2_225, `050000${message}00`],
  ])("a disconnect for %s", (_, protocol, hex) => {
    expect(encodeKick(text, protocol).toString("hex")).toBe(hex);
  });

  test("the settings of the network, the request for them, and a login", () => {
    expect(encodeNetworkSettings(512).toString("hex")).toBe("8f0100020000000000000000");
    expect(encodeSettingsRequest(898).toString("hex")).toBe("c10100000382");
    const login = encodeLogin({ protocol: 898, identity: '{"chain":[]}' }, "abc");
    expect(login.toString("hex")).toBe(
      "0100000382170c0000007b22636861696e223a5b5d7d03000000616263",
    );
  });
});

describe("a batch", () => {
  const packets = [encodeSettingsRequest(898), encodeKick("no", 898)];

  test.each([undefined, 503, 554, 648, 649, 898])(
    "that is written for protocol %s is unpacked as such a client does",
    (protocol) => {
      const ways = packetsOf(encodeBatch(packets, protocol), protocol);
      const found = ways.find(([first]) => first?.id === 0xc1);
      expect(found?.map(({ id }) => id)).toEqual([0xc1, 0x05]);
    },
  );

  test("before any compression is unpacked as it is", () => {
    const [found] = packetsOf(encodePlainBatch(packets), undefined);
    expect(found?.[0] && readSettingsRequest(found[0])).toBe(898);
  });

  test("is unpacked where the client compresses, also where only its start has arrived", () => {
    const login = encodeLogin({ protocol: 649, identity: "i".repeat(900) }, "c".repeat(9_000));
    const plain = encodePlainBatch([login]).subarray(1);
    const named = Buffer.concat([Buffer.of(0xfe, 0), deflateRawSync(plain)]);
    const [[whole] = []] = packetsOf(named, 649);
    expect(whole && readLogin(whole)).toEqual({ protocol: 649, identity: "i".repeat(900) });
    const none = Buffer.concat([Buffer.of(0xfe, 0xff), plain.subarray(0, 1_000)]);
    const [[start] = []] = packetsOf(none, 649, false);
    expect(start && readLogin(start)).toEqual({ protocol: 649, identity: "i".repeat(900) });
    const short = Buffer.concat([Buffer.of(0xfe, 0xff), plain.subarray(0, 500)]);
    const [[cut] = []] = packetsOf(short, 649, false);
    expect(cut && readLogin(cut)).toBe("cut");
  });

  test("in Snappy is unpacked by name, and without a name where servers could choose it", () => {
    const content = encodePlainBatch([encodeSettingsRequest(898)]).subarray(1);
    const literal = Buffer.of(content.length, (content.length - 1) << 2);
    const block = Buffer.concat([literal, content]);
    expect(packetsOf(Buffer.concat([Buffer.of(0xfe, 1), block]), 649)[0]?.[0]?.id).toBe(0xc1);
    const ways = packetsOf(Buffer.concat([Buffer.of(0xfe), block]), 600);
    expect(ways.some(([first]) => first?.id === 0xc1)).toBe(true);
  });

  test("with a compression that does not exist has no packets", () => {
    expect(packetsOf(Buffer.of(0xfe, 7, 1, 1), 649)).toEqual([]);
  });

  test("has no packets where one is longer than the batch, or empty", () => {
    expect(readPackets({ content: Buffer.of(5, 1), isCut: false })).toBeUndefined();
    expect(readPackets({ content: Buffer.of(0), isCut: false })).toBeUndefined();
    expect(readPackets({ content: Buffer.of(5, 1), isCut: true })?.length).toBe(1);
  });
});

test("a login whose identity is longer than any real one is refused before it has arrived", () => {
  const login = encodeLogin({ protocol: 1, identity: "i".repeat(identityBytesMax + 1) }, "");
  expect(readLogin({ id: 1, fields: login.subarray(1, 40), isCut: true })).toBeUndefined();
});

test("a login that is cut anywhere is never read wrong", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), fc.string(), fc.nat(), (identity, data, cut) => {
      const whole = encodeLogin({ protocol: 7, identity }, data);
      const fields = whole.subarray(1, 1 + (cut % whole.length));
      const read = readLogin({ id: 1, fields, isCut: true });
      const needed = whole.length - 1 - 4 - Buffer.byteLength(data);
      expect(read).toEqual(fields.length < needed ? "cut" : { protocol: 7, identity });
      const ended = readLogin({ id: 1, fields, isCut: false });
      expect(ended).toEqual(fields.length < needed ? undefined : { protocol: 7, identity });
    }),
  );
});

test("no bytes make a reader throw", () => {
  const protocol = fc.constantFrom(undefined, 503, 600, 649);
  const head = fc.constantFrom("", "00", "01", "ff", "06c101", "0801", "7f01000000017f05000000");
  fc.assert(
    fc.property(
      head,
      fc.uint8Array({ maxLength: 80 }),
      protocol,
      fc.boolean(),
      (hex, rest, version, isWhole) => {
        const batch = Buffer.concat([Buffer.of(0xfe), Buffer.from(hex, "hex"), rest]);
        for (const packet of packetsOf(batch, version, isWhole).flat()) {
          readSettingsRequest(packet);
          readLogin(packet);
        }
        expect(true).toBe(true);
      },
    ),
    { numRuns: 3_000 },
  );
});
