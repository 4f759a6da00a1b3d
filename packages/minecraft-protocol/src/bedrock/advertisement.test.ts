import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeAdvertisement, readAdvertisement, type Advertisement } from "./advertisement.ts";

/** As bedrock-protocol 3.59 and the dedicated server of the game write them. */
const known = {
  "the game's own server":
    "MCPE;Dedicated Server;766;1.21.50;0;10;13253860892328930865;Bedrock level;Survival;1;19132;19133;0;",
  Geyser: "MCPE;Skyline;766;1.21.50;12;100;-4619431939318466;Hub;Survival;1;19132;19132;",
  "an old one": "MCPE;Skyline;390;1.14.60;3;20",
};

describe("an advertisement is read", () => {
  test("as the game's own server sends it", () => {
    expect(readAdvertisement(known["the game's own server"])).toEqual({
      edition: "MCPE",
      motd: "Dedicated Server",
      protocol: 766,
      version: "1.21.50",
      online: 0,
      max: 10,
      guid: 13_253_860_892_328_930_865n,
      subMotd: "Bedrock level",
      gameMode: "Survival",
      gameModeId: 1,
    });
  });

  test("with a negative id, and without a second line", () => {
    expect(readAdvertisement(known.Geyser)?.guid).toBe(2n ** 64n - 4_619_431_939_318_466n);
    expect(readAdvertisement(known["an old one"])).toMatchObject({
      online: 3,
      max: 20,
      subMotd: "",
    });
  });

  test("not of another game or a part", () => {
    expect(readAdvertisement("")).toBeUndefined();
    expect(readAdvertisement("MCPE;a;1;2;3")).toBeUndefined();
    expect(readAdvertisement("HTTP;a;1;2;3;4;5")).toBeUndefined();
  });
});

const some: Advertisement = {
  edition: "MCPE",
  motd: "Skyline",
  protocol: 766,
  version: "1.21.50",
  online: 5,
  max: 20,
  guid: 7n,
  subMotd: "Hub",
  gameMode: "Survival",
  gameModeId: 1,
};
const ports = { ipv4: 19_132, ipv6: 19_133 };

describe("an advertisement is written", () => {
  test("as the game reads it", () => {
    expect(encodeAdvertisement(some, ports, 338).toString()).toBe(
      "MCPE;Skyline;766;1.21.50;5;20;7;Hub;Survival;1;19132;19133;",
    );
  });

  test("never full, and never without a second line, which the game would not show", () => {
    const bytes = encodeAdvertisement({ ...some, online: 20, subMotd: "" }, ports, 338);
    expect(readAdvertisement(bytes.toString())).toMatchObject({
      online: 20,
      max: 21,
      subMotd: "Minecraft",
    });
  });

  test("with any text of an owner: what was written is read back, and never more bytes than allowed", () => {
    const line = fc.string({ unit: "grapheme", maxLength: 200 });
    fc.assert(
      fc.property(line, line, (motd, subMotd) => {
        const bytes = encodeAdvertisement({ ...some, motd, subMotd }, ports, 338);
        expect(bytes.length).toBeLessThanOrEqual(338);
        const read = readAdvertisement(bytes.toString());
        expect(read).toMatchObject({ protocol: 766, online: 5, guid: 7n });
        if (Buffer.byteLength(motd + subMotd) < 120 && !/[\0\n\r]/.test(motd + subMotd)) {
          expect(read).toMatchObject({ motd, subMotd: subMotd === "" ? "Minecraft" : subMotd });
        }
      }),
    );
  });

  test("never in more bytes than allowed, whatever a backend calls its version and its mode", () => {
    const text = fc.oneof(
      fc.string({ maxLength: 2_000 }),
      fc.nat(2_000).map((n) => ";".repeat(n)),
    );
    const number = fc.nat(999_999_999);
    fc.assert(
      fc.property(text, text, text, number, number, (motd, version, gameMode, protocol, online) => {
        const hostile = { ...some, motd, version, gameMode, protocol, online, guid: 99_999_999n };
        const long = encodeAdvertisement(hostile, { ipv4: 65_535, ipv6: 65_535 }, 338);
        const short = encodeAdvertisement(hostile, undefined, 64);
        expect(long.length).toBeLessThanOrEqual(338);
        expect(short.length).toBeLessThanOrEqual(64);
        expect(readAdvertisement(long.toString())).toMatchObject({ protocol, online });
        expect(readAdvertisement(short.toString())).toMatchObject({ protocol, online });
      }),
    );
  });

  test("no text makes the reader throw", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => readAdvertisement(text)).not.toThrow();
        expect(() => readAdvertisement(`MCPE;${text}`)).not.toThrow();
      }),
    );
  });
});
