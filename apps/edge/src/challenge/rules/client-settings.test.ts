import { releases } from "@palisade/minecraft-protocol/java/releases";
import { suspicionOf } from "@palisade/login-rules/suspicion";
import { describe, expect, test } from "vitest";
import { ClientSettings, isImpossibleBrand } from "./client-settings.ts";

const information = {
  locale: "en_us",
  viewDistance: 12,
  chatMode: 0,
  chatColours: true,
  skinParts: 127,
  mainHand: 1,
} as const;
const settings = { kind: "client-information", information } as const;
const brandOf = (brand: string) => ({ kind: "brand", brand }) as const;

function protocolOf(version: string): number {
  const found = releases.find(([name]) => name === version);
  if (found === undefined) throw new Error(`${version} is not in the table`);
  return found[1];
}

describe("the brand of a client", () => {
  test.each([
    ["vanilla", "1.8.8", false, false],
    ["vanilla", "1.21.4", false, false],
    ["vanilla", "1.20.1", true, true],
    ["fml,forge", "1.12.2", true, false],
    ["fml,forge", "1.20.4", true, true],
    ["forge", "1.20.4", true, false],
    ["neoforge", "1.20.4", false, false],
    ["neoforge", "1.19.4", false, true],
    ["lunarclient:v2.16", "1.8.8", false, false],
    ["fabric", "1.21.4", false, false],
  ])(
    "%s of %s, with Forge's marker: %s, is impossible: %s",
    (brand, version, forge, isImpossible) => {
      const client = { protocol: protocolOf(version), forge };
      expect(isImpossibleBrand(brand, client)).toBe(isImpossible);
    },
  );
});

describe("settings and brand", () => {
  function signalsAfter(version: string, act: (client: ClientSettings) => void): string[] {
    const client = new ClientSettings(false, { protocol: protocolOf(version), forge: false });
    act(client);
    return Object.keys(suspicionOf(client.signals).parts);
  }

  test("as games tell them, before the first answer, are no signal", () => {
    const told = signalsAfter("1.21.4", (client) => {
      client.take(brandOf("vanilla"));
      client.take(settings);
      client.answered();
    });
    expect(told).toEqual([]);
    const world = signalsAfter("1.16.5", (client) => {
      client.take(settings);
      client.take(brandOf("vanilla"));
    });
    expect(world).toEqual([]);
  });

  test("in another order, or after the first answer, are a signal, and fail no player", () => {
    const turned = signalsAfter("1.21.4", (client) => {
      expect(client.take(settings)).toBe(true);
      expect(client.take(brandOf("vanilla"))).toBe(true);
    });
    expect(turned).toEqual(["settings_order"]);
    expect(signalsAfter("1.21.4", (client) => client.answered())).toEqual(["settings_order"]);
    expect(signalsAfter("1.19.4", (client) => client.take(brandOf("neoforge")))).toEqual([
      "brand_mismatch",
    ]);
  });
});
