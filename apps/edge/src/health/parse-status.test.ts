import { probeResult } from "@palisade/contract/edge/probe";
import { sampleFavicon } from "@palisade/testing/sample-favicon";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseStatus } from "./parse-status.ts";

const parse = (status: unknown) => parseStatus(JSON.stringify(status));

const png = (width: number, height: number, bytes = 100) => sampleFavicon({ width, height, bytes });

function isWithinContract(status: unknown): boolean {
  const attempts = [{ proxy: false, outcome: "online", latency_ms: 1, status }];
  return probeResult.safeParse({ id: "0198f000-0000-7000-8000-000000000001", attempts }).success;
}

describe("a status as it is told", () => {
  test("reads an ordinary server's status", () => {
    expect(
      parse({
        version: { name: "Paper 1.21.4", protocol: 769 },
        players: { online: 12, max: 100, sample: [{ name: "Steve", id: "x" }] },
        description: { text: "", extra: [{ text: "Hello", color: "green" }, "\nworld"] },
        favicon: png(64, 64),
        enforcesSecureChat: true,
      }),
    ).toEqual({
      motd: ["§aHello", "world"],
      version: "Paper 1.21.4",
      protocol: 769,
      players_online: 12,
      players_max: 100,
      favicon: png(64, 64),
    });
  });

  test("that hides its players and version", () => {
    expect(parse({ description: "Hi" })).toEqual({
      motd: ["Hi"],
      version: "",
      protocol: -1,
      players_online: 0,
      players_max: 0,
      favicon: null,
    });
  });

  test.each([["{}"], ["[]"], ["null"], ['"version"'], ["{"], [""], ['{"n":1}']])(
    "%s is no status",
    (json) => {
      expect(parseStatus(json)).toBeUndefined();
    },
  );

  test.each([
    ["of another size", png(128, 128)],
    ["that is too large", png(64, 64, 16 * 1024 + 1)],
    ["of another kind", "data:image/svg+xml;base64,PHN2Zz4="],
    ["that is no PNG", `data:image/png;base64,${Buffer.alloc(200).toString("base64")}`],
    ["from elsewhere", "https://example.com/favicon.png"],
    ["that is no text", 7],
  ])("a picture %s is left out", (_, favicon) => {
    expect(parse({ version: {}, favicon })?.favicon).toBeNull();
  });

  test("old servers' line breaks in the picture are taken away", () => {
    const picture = png(64, 64);
    const broken = picture.replace(/(.{60})/g, "$1\n").replace("data:image/png;base64,\n", "");
    const folded = `data:image/png;base64,${broken.replace(/^data:image\/png;base64,/, "")}`;
    expect(parse({ version: {}, favicon: folded })?.favicon).toBe(picture);
  });

  test("numbers that are none are bounded", () => {
    const json = '{"version":{"protocol":1e999},"players":{"online":-1e300,"max":2.9}}';
    expect(parseStatus(json)).toMatchObject({
      protocol: -1,
      players_online: -0x8000_0000,
      players_max: 2,
    });
  });

  test("depth and size do no harm", () => {
    for (const json of [
      `{"description":${"[".repeat(16_000)}${"]".repeat(16_000)}}`,
      `{"description":${'{"extra":['.repeat(3_000)}"x"${"]}".repeat(3_000)}}`,
      `{"description":"${"x".repeat(32_000)}"}`,
      `{"version":{"name":"${"§l".repeat(15_000)}"}}`,
      '{"__proto__":{"version":1},"constructor":1,"version":{"__proto__":null}}',
    ]) {
      expect(isWithinContract(parseStatus(json))).toBe(true);
    }
  });

  test("whatever JSON comes, the result is within the contract", () => {
    const odd = fc.oneof(fc.jsonValue(), fc.string({ unit: "binary" }), fc.constant(png(64, 64)));
    const status = fc.record(
      {
        version: fc.oneof(odd, fc.record({ name: odd, protocol: odd })),
        players: fc.oneof(odd, fc.record({ online: odd, max: odd })),
        description: fc.oneof(odd, fc.record({ text: odd, extra: fc.array(odd), color: odd })),
        favicon: odd,
      },
      { requiredKeys: ["version"] },
    );
    fc.assert(
      fc.property(status, (value) => {
        expect(isWithinContract(parse(value))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
