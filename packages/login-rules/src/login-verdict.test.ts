import type { MitigationConfig } from "@palisade/contract/edge/shield-config";
import { beforeEach, describe, expect, test } from "vitest";
import {
  attack,
  facts,
  ip,
  listedAs,
  rulesOf,
  setOf,
  since,
  Verdicts,
  type Change,
} from "./testing/verdict-fixture.ts";
import { mitigationLimits as limits } from "./login-memory.ts";
import type { LoginAttempt } from "./login-attempt.ts";
import { countVerdict, decideLogin, refusesConnection } from "./login-verdict.ts";

const listed = setOf("203.0.113.0/24");
const other = setOf("198.51.100.1");

let at: Verdicts;

beforeEach(() => {
  at = new Verdicts();
});

describe("rules before mitigation", () => {
  test("an active shield lets a well-named player in", () => {
    expect(at.told({})).toBe("forward");
    expect(at.told({ blacklist: other })).toBe("forward");
  });

  test("the blacklist beats the whitelist", () => {
    expect(at.told({ blacklist: listed, exclusive: listed, trusted: listed })).toBe("blacklist");
  });

  test("in maintenance mode only the listed join", () => {
    expect(at.told({ exclusive: listed })).toBe("forward");
    expect(at.told({ exclusive: other })).toBe("whitelist_only");
    expect(at.told({ exclusive: setOf() })).toBe("whitelist_only");
  });

  test("a listed name is refused from any address, without regard to case, and beats the whitelist", () => {
    const blacklistNames = new Set(["griefer_1"]);
    const refusal = (change: Change) => at.decide(change, { name: "Griefer_1" });
    const expected = {
      kind: "refuse",
      refusal: { reason: "blacklist", facts: { entry: "name" } },
    };
    expect(refusal({ blacklistNames })).toEqual(expected);
    expect(
      refusal({ blacklistNames, trusted: listed, trustedNames: blacklistNames, exclusive: listed }),
    ).toEqual(expected);
    expect(at.told({ blacklistNames })).toBe("forward");
    expect(at.told({ blacklistNames, status: "expired" }, { name: "Griefer_1" })).toBe("expired");
  });

  test("in maintenance mode a listed name joins from any address", () => {
    const change = { exclusive: other, exclusiveNames: new Set(["steve"]) };
    expect(at.told(change)).toBe("forward");
    expect(at.told(change, { name: "STEVE" })).toBe("forward");
    expect(at.told(change, { name: "Steve2" })).toBe("whitelist_only");
    expect(at.told({ ...change, versions: since("1.19") })).toBe("invalid_version");
    // A connection whose game is not parsed shows no name; one of Bedrock does, a moment later.
    const reasonOf = (isNamedLater: boolean, of: Change = change) =>
      refusesConnection({ ...facts, isNamedLater }, rulesOf(of), at.state, at.nowMs)?.reason;
    expect(reasonOf(false)).toBe("whitelist_only");
    expect(reasonOf(true)).toBeUndefined();
    expect(reasonOf(true, { exclusive: other, exclusiveNames: new Set() })).toBe("whitelist_only");
  });

  test("an expired or blocked shield refuses every player", () => {
    expect(at.told({ status: "expired", exclusive: listed })).toBe("expired");
    expect(at.told({ status: "blocked", blacklist: listed })).toBe("blocked");
  });

  test("an invalid name is refused after the lists", () => {
    expect(at.told({}, { nameValid: false })).toBe("invalid_name");
    expect(at.told({ blacklist: listed }, { nameValid: false })).toBe("blacklist");
  });

  test("a version outside of the range is refused, after lists and name", () => {
    const versions = since("1.19", "1.21");
    expect(at.told({ versions })).toBe("invalid_version");
    expect(at.told({ versions }, { nameValid: false })).toBe("invalid_name");
    expect(at.told({ versions, exclusive: other })).toBe("whitelist_only");
    expect(at.told({ versions, blacklist: listed })).toBe("blacklist");
    expect(at.told({ versions, status: "expired" })).toBe("expired");
    expect(at.told({ versions, trusted: listed })).toBe("invalid_version");
  });

  test.each([
    ["1.6.4, whose number is above that of 1.8", 78, "invalid_version"],
    ["1.7.10", 5, "invalid_version"],
    ["1.8", 47, "forward"],
    ["26.3", 777, "forward"],
    ["a snapshot", 0x40000001, "forward"],
    ["a version after the table", 5_000, "forward"],
    ["a number that no version has", -1, "invalid_version"],
  ])("from 1.8 on: %s", (_name, protocol, expected) => {
    expect(at.told({}, { protocol })).toBe(expected);
  });

  test("shadow mode softens none of it", () => {
    const mitigation = { shadow: true, antibot: "high" as const };
    expect(at.told({ mitigation, blacklist: listed })).toBe("blacklist");
    expect(at.told({ mitigation, exclusive: other })).toBe("whitelist_only");
    expect(at.told({ mitigation, versions: since("1.19") })).toBe("invalid_version");
    expect(at.told({ mitigation }, { nameValid: false })).toBe("invalid_name");
    expect(at.told({ mitigation, status: "expired" })).toBe("expired");
  });
});

/** A rule on its own: settings, and a login that it refuses with this reason and these facts. */
const single: readonly [
  string,
  Partial<MitigationConfig>,
  Partial<LoginAttempt>,
  Record<string, string>,
][] = [
  ["packet_size", { packet_bytes_max: 8_000 }, { frameBytes: 8_001 }, { bytes: "8001" }],
  ["forge", { anti_forge: true }, { forge: true }, { client: "forge" }],
  ["vpn", { anti_vpn: true }, { ip: ip("192.0.2.9") }, listedAs.facts],
  ["bot_name", { advanced_antibot: true }, { name: "Bot_17" }, { rule: "tool" }],
  ["bot_check", { antibot: "low" }, { attack }, { ping: "none" }],
  ["secure_profiles", { secure_profiles: true }, { protocol: 759 }, { key: "none" }],
  ["secure_profiles", { secure_profiles: true }, { protocol: 760 }, { key: "none" }],
  [
    "secure_profiles",
    { secure_profiles: true },
    { protocol: 760, profileKey: { expiresAtMs: Number.MAX_SAFE_INTEGER, isReadable: false } },
    { key: "unreadable" },
  ],
  [
    "secure_profiles",
    { secure_profiles: true },
    { protocol: 760, profileKey: { expiresAtMs: 1_700_000_000_000, isReadable: true } },
    { key: "expired" },
  ],
];

describe("a mitigation alone", () => {
  test.each(single)("%s by %j refuses what it is about: %j", (reason, mitigation, of, fact) => {
    expect(at.decide({ mitigation }, of)).toMatchObject({
      kind: "refuse",
      refusal: { reason, facts: fact },
    });
    expect(at.told({ mitigation })).not.toBe(reason);
    expect(at.told({}, of)).toBe("forward");
  });

  test.each(single)("%s by %j asks nothing of the whitelisted", (_reason, mitigation, of) => {
    const trusted = setOf("0.0.0.0/0");
    expect(at.told({ mitigation, trusted }, of)).toBe("forward");
    const trustedNames = new Set([(of.name ?? facts.name).toLowerCase()]);
    expect(at.told({ mitigation, trustedNames }, of)).toBe("forward");
    expect(at.told({ mitigation: { ...mitigation, antibot: "extreme" }, trusted }, of)).toBe(
      "forward",
    );
  });

  test.each(single)(
    "%s by %j in shadow mode is told, and let in",
    (reason, mitigation, of, fact) => {
      expect(at.decide({ mitigation: { ...mitigation, shadow: true } }, of)).toMatchObject({
        kind: "forward",
        shadowed: { reason, facts: fact },
      });
    },
  );

  test("is decided without a change: asked often, the answer stays the same until it is counted", () => {
    const mitigation = {
      antibot: "low",
      advanced_antibot: true,
      logins_per_second: 1,
      rejoin_cooldown_ms: 5_000,
    } as const;
    const decide = () => decideLogin(facts, rulesOf({ mitigation }), at.state, at.nowMs);
    for (let n = 0; n < 500; n++) expect(decide().kind).toBe("forward");
    expect(at.told({ mitigation })).toBe("forward");
    expect(decide()).toMatchObject({ kind: "refuse", refusal: { reason: "max_connections" } });
  });

  test("two logins that saw the last place do not both get it", () => {
    const rules = rulesOf({ mitigation: { logins_per_second: 1 } });
    const seen = [facts, { ...facts, name: "Alex" }].map((of) =>
      decideLogin(of, rules, at.state, at.nowMs),
    );
    expect(seen.map(({ kind }) => kind)).toEqual(["forward", "forward"]);
    expect(seen.map((verdict) => countVerdict(verdict).kind)).toEqual(["forward", "refuse"]);
  });

  test("a name on the whitelist keeps to the rates of known players, an address on it to none", () => {
    const trustedNames = new Set(["steve"]);
    const low = { antibot: "low", rejoin_cooldown_ms: 5_000, advanced_antibot: true } as const;
    for (let n = 0; n < limits.addressQuiet; n++) {
      expect(at.told({ mitigation: low, trustedNames }, { attack })).toBe("forward");
    }
    expect(at.told({ mitigation: low, trustedNames }, { attack })).toBe("rate");
    expect(at.told({ mitigation: low, trustedNames, trusted: listed }, { attack })).toBe("forward");
    expect(at.decide({ mitigation: { ...low, shadow: true }, trustedNames })).toMatchObject({
      kind: "forward",
      shadowed: { reason: "rate" },
    });
    const one = { logins_per_second: 1 };
    const other = ip("198.51.100.9");
    expect(at.told({ mitigation: one, trustedNames }, { ip: other })).toBe("forward");
    expect(at.told({ mitigation: one, trustedNames }, { ip: other })).toBe("max_connections");
    expect(at.told({ mitigation: one, trustedNames, trusted: listed })).toBe("forward");
  });

  test("a frame as large as the owner allows is not too large", () => {
    expect(at.told({ mitigation: { packet_bytes_max: 8_000 } }, { frameBytes: 8_000 })).toBe(
      "forward",
    );
  });

  test("a profile key satisfies, where the version shows it", () => {
    const mitigation = { secure_profiles: true };
    const profileKey = { expiresAtMs: at.nowMs + 1, isReadable: true };
    expect(at.told({ mitigation }, { protocol: 759, profileKey })).toBe("forward");
    expect(at.told({ mitigation }, { protocol: 760, profileKey })).toBe("forward");
    expect(at.told({ mitigation }, { protocol: 761 })).toBe("verify premium");
    expect(at.told({ mitigation }, { protocol: 758 })).toBe("verify premium");
  });
});

describe("order", () => {
  /** Settings that refuse `facts` each for its own reason, in the order in which they decide. */
  const rules: readonly [string, Partial<MitigationConfig>][] = [
    ["packet_size", { packet_bytes_max: 5_000 }],
    ["rate", { antibot: "low" }],
    ["max_connections", { logins_per_second: 1 }],
    ["cooldown", { rejoin_cooldown_ms: 5_000 }],
    ["forge", { anti_forge: true }],
    ["vpn", { anti_vpn: true }],
    ["bot_name", { advanced_antibot: true }],
    ["secure_profiles", { secure_profiles: true }],
  ];

  test("the first refusal is the one that is told", () => {
    const of: Partial<LoginAttempt> = {
      name: "Bot_1",
      ip: ip("192.0.2.1"),
      protocol: 759,
      forge: true,
      frameBytes: 100_000,
    };
    const shield = at.shield;
    const { memory } = at.state;
    for (let n = 0; n < limits.addressQuiet; n++) {
      memory.countSource(shield, "address", of.ip ?? facts.ip, 4_000, at.nowMs);
    }
    memory.countLogin(shield, 1, at.nowMs);
    memory.startCooldown(shield, "Bot_1", ip("10.0.0.1"), 5_000, at.nowMs);
    for (let first = 0; first < rules.length; first++) {
      const mitigation = Object.assign({}, ...rules.slice(first).map(([, setting]) => setting));
      expect(at.told({ mitigation }, of)).toBe(rules[first]?.[0]);
    }
  });
});

describe("a connection whose game is not parsed", () => {
  function refusal(change: Change, address = "203.0.113.7") {
    const of = { ip: ip(address), attack: facts.attack, isNamedLater: false };
    return refusesConnection(of, rulesOf(change), at.state, at.nowMs);
  }

  test("is refused by lists first, then by rates, logins in a second and VPN lists", () => {
    expect(refusal({})).toBeUndefined();
    expect(refusal({ blacklist: listed, trusted: listed })).toMatchObject({ reason: "blacklist" });
    expect(refusal({ exclusive: other })).toMatchObject({ reason: "whitelist_only" });
    const vpn = { mitigation: { anti_vpn: true } };
    expect(refusal(vpn, "192.0.2.9")).toMatchObject({ reason: "vpn", shadow: false });
    expect(refusal({ ...vpn, trusted: setOf("192.0.2.9") }, "192.0.2.9")).toBeUndefined();
    const one = { mitigation: { logins_per_second: 1 } };
    expect(refusal(one)).toBeUndefined();
    expect(refusal(one)).toMatchObject({ reason: "max_connections", facts: { limit: "1/s" } });
    const low = { mitigation: { antibot: "low" as const } };
    for (let n = 0; n < limits.addressQuiet; n++) expect(refusal(low)).toBeUndefined();
    expect(refusal(low)).toMatchObject({ reason: "rate" });
  });

  test("in shadow mode goes on, and it is told why it would not have", () => {
    const mitigation = { anti_vpn: true, shadow: true };
    expect(refusal({ mitigation }, "192.0.2.9")).toMatchObject({ reason: "vpn", shadow: true });
    expect(refusal({ mitigation, blacklist: listed })).toMatchObject({ shadow: false });
  });
});
