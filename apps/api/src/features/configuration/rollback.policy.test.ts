import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { productFeatures } from "@palisade/contract/product-features";
import { sampleBackend, sampleGroup, sampleShield } from "@palisade/testing/sample-shield";
import { describe, expect, test } from "vitest";
import { pricingPlans } from "../../../seeds/plans.ts";
import type { ConfigurationRows } from "./configuration.repository.ts";
import { earlierContent } from "./rollback.policy.ts";

type Backend = ShieldConfig["groups"][number]["backends"][number];

const name = "game.example.com";
const address = "203.0.113.9";
const port = 30_000;

function backend(host: string, proven: boolean): Backend {
  return { ...sampleBackend(port, 1), host, proven };
}

/** The backend in a group for Minecraft, and in one for a game that is not parsed. */
function shieldWith(minecraft: Backend, other: Backend): ShieldConfig {
  const group = sampleGroup(minecraft);
  const id = "0198a6e0-0000-7000-8000-000000000009";
  const game = "other" as const;
  const unparsed = { ...group, id, game, port, default: false, backends: [other] };
  return sampleShield({ groups: [group, unparsed] });
}

/** The host of each group's backend after a rollback to `then`, and whether it is proven. */
function served(then: ShieldConfig, compiled: ShieldConfig, storedHost: string) {
  const rows = {
    shield: { plan_limits: pricingPlans(productFeatures)[0]?.limits },
    groups: compiled.groups,
    backends: compiled.groups.flatMap(({ backends }) =>
      backends.map(({ id }) => ({ id, host: storedHost })),
    ),
  } as unknown as ConfigurationRows;
  const { config } = earlierContent(then, { rows, compiled });
  return config.groups.map(({ backends: [first] }) => [first?.host, first?.proven]);
}

describe("a rollback", () => {
  test("lends no proof of Minecraft to the same address behind another game", () => {
    const then = shieldWith(backend(name, true), backend(name, true));
    const today = shieldWith(backend(name, true), backend(name, false));
    const of = served(then, today, name);
    expect(of).toEqual([
      [name, true],
      [name, false],
    ]);
  });

  test("serves behind another game the address that is proved today, and no name", () => {
    const then = shieldWith(backend(name, false), backend(name, false));
    const today = shieldWith(backend(name, false), backend(address, true));
    const of = served(then, today, name);
    expect(of).toEqual([
      [name, false],
      [address, true],
    ]);
  });

  test("serves no more than the plan of today: groups, places, texts, caching, antibot and anti-VPN", () => {
    const lobby = sampleGroup(backend(name, true));
    const group = (id: string, location: string) => ({
      ...lobby,
      id: `0198a6e0-0000-7000-8000-00000000001${id}`,
      name: `Group ${id}`,
      default: false,
      location,
    });
    const ofPro = sampleShield({ groups: [group("1", "kyiv"), { ...lobby, location: "kyiv" }] });
    const then: ShieldConfig = {
      ...ofPro,
      messages: { ...ofPro.messages, blacklist: "Then" },
      status_cache: { ...ofPro.status_cache, enabled: true },
      mitigation: { ...ofPro.mitigation, antibot: "extreme", anti_vpn: true },
    };
    const today = sampleShield({ groups: [lobby] });
    const free = pricingPlans(productFeatures)[0]?.limits;
    const rows = {
      shield: { plan_limits: { ...free, customization: false } },
      groups: today.groups,
      backends: [],
    } as unknown as ConfigurationRows;
    const compiled = { ...today, status_cache: { ...today.status_cache, enabled: false } };
    const { config, leftOut } = earlierContent(then, { rows, compiled });
    expect(config.groups.map(({ id, location }) => [id, location])).toEqual([[lobby.id, null]]);
    expect(leftOut).toEqual(["group Group 1, for which the plan has no place"]);
    expect(config.messages).toEqual(today.messages);
    expect(config.status_cache.enabled).toBe(false);
    expect([config.mitigation.antibot, config.mitigation.anti_vpn]).toEqual(["medium", false]);
  });

  test("trusts no address that is not proved any more", () => {
    const then = shieldWith(backend(name, true), backend("203.0.113.8", true));
    const today = shieldWith(backend(name, true), backend(address, true));
    const of = served(then, today, name);
    expect(of).toEqual([
      [name, true],
      ["203.0.113.8", false],
    ]);
  });
});
