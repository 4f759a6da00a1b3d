import type { MitigationConfig } from "@palisade/contract/edge/shield-config";
import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { versionRange } from "@palisade/minecraft-protocol/java/versions";
import { sampleShield, sampleShieldId } from "@palisade/testing/sample-shield";
import { beforeEach, describe, expect, test } from "vitest";
import { playerMac } from "#src/verification/player-mac.ts";
import { type AddressSet, compileAddressSet } from "./address-set.ts";
import { refusesConnection } from "./connection-verdict.ts";
import { mitigationLimits as limits } from "./limits.ts";
import type { LoginFacts, LoginKnowledge } from "./login-facts.ts";
import { LoginMemory } from "./login-memory.ts";
import { decideLogin, type LoginRules, type Verdict } from "./login-verdict.ts";
import { mitigationRules } from "./mitigation-rules.ts";
import { VerifiedPlayers } from "./shared/verified-players.ts";

const startMs = 1_800_000_000_000;
const quiet = { isUnderAttack: false, relaxedTo: null };
const attack = { isUnderAttack: true, relaxedTo: null };

function ip(text: string): Uint8Array {
  const bytes = parseIp(text);
  if (bytes === undefined) throw new Error(`${text} is no address`);
  return bytes;
}

function setOf(...entries: string[]): AddressSet {
  const result = compileAddressSet(entries);
  if (!result.ok) throw new Error(result.invalid);
  return result.set;
}

function since(min: string, max: string | null = null): LoginRules["versions"] {
  const range = versionRange(min, max);
  if (range === undefined) throw new Error(`${min} is not in the table`);
  return range;
}

const facts: LoginFacts = {
  ip: ip("203.0.113.7"),
  name: "Steve",
  nameValid: true,
  protocol: 758,
  form: "modern",
  forge: false,
  profileKey: false,
  frameBytes: 0,
  proof: undefined,
  attack: quiet,
  connection: 1,
  bootSeed: 2,
};

const listed = setOf("203.0.113.0/24");
const other = setOf("198.51.100.1");
const hidden = setOf("192.0.2.0/24");
const listedAs = { reason: "vpn", facts: { list: "hosting", asn: "AS64496" } } as const;

let nowMs: number;
let knowledge: LoginKnowledge;

beforeEach(() => {
  nowMs = startMs;
  knowledge = {
    memory: new LoginMemory(LoginMemory.allocate(Buffer.from("8 random"))),
    verified: new VerifiedPlayers(
      VerifiedPlayers.allocate({ slots: 1_024 }),
      playerMac(Buffer.alloc(32, 1)),
    ),
    vpn: { find: (ip) => (hidden.has(ip) ? listedAs : undefined) },
    canAsk: () => true,
  };
});

type Change = Partial<Omit<LoginRules, "mitigation">> & {
  readonly trusted?: AddressSet;
  readonly mitigation?: Partial<MitigationConfig>;
};

function rulesOf({ trusted, mitigation, ...change }: Change): LoginRules {
  const config = { ...sampleShield().mitigation, ...mitigation };
  return {
    status: "active",
    blacklist: undefined,
    exclusive: undefined,
    versions: since("1.8"),
    ...change,
    mitigation: mitigationRules(sampleShieldId, config, trusted),
  };
}

function decide(change: Change, of: Partial<LoginFacts> = {}): Verdict {
  return decideLogin({ ...facts, ...of }, rulesOf(change), knowledge, nowMs);
}

/** Reason of a refusal, proof of a verification, else `forward`. */
function told(change: Change, of: Partial<LoginFacts> = {}): string {
  const verdict = decide(change, of);
  if (verdict.kind === "refuse") return verdict.reason;
  return verdict.kind === "verify" ? `verify ${verdict.proof}` : verdict.kind;
}

function named(n: number): Partial<LoginFacts> {
  return { name: `P${n}`, ip: ip(`10.${n >> 8}.${n & 255}.1`) };
}

describe("what is no mitigation", () => {
  test("an active shield lets a well-named player in", () => {
    expect(told({})).toBe("forward");
    expect(told({ blacklist: other })).toBe("forward");
  });

  test("the blacklist beats the whitelist", () => {
    expect(told({ blacklist: listed, exclusive: listed, trusted: listed })).toBe("blacklist");
  });

  test("in maintenance mode only the listed join", () => {
    expect(told({ exclusive: listed })).toBe("forward");
    expect(told({ exclusive: other })).toBe("whitelist_only");
    expect(told({ exclusive: setOf() })).toBe("whitelist_only");
  });

  test("an expired or blocked shield refuses everybody", () => {
    expect(told({ status: "expired", exclusive: listed })).toBe("expired");
    expect(told({ status: "blocked", blacklist: listed })).toBe("blocked");
  });

  test("an invalid name is refused after the lists", () => {
    expect(told({}, { nameValid: false })).toBe("invalid_name");
    expect(told({ blacklist: listed }, { nameValid: false })).toBe("blacklist");
  });

  test("a version outside of the range is refused, after lists and name", () => {
    const versions = since("1.19", "1.21");
    expect(told({ versions })).toBe("invalid_version");
    expect(told({ versions }, { nameValid: false })).toBe("invalid_name");
    expect(told({ versions, exclusive: other })).toBe("whitelist_only");
    expect(told({ versions, blacklist: listed })).toBe("blacklist");
    expect(told({ versions, status: "expired" })).toBe("expired");
    expect(told({ versions, trusted: listed })).toBe("invalid_version");
  });

  test.each([
    ["1.6.4, whose number is above that of 1.8", 78, "invalid_version"],
    ["1.7.10", 5, "invalid_version"],
    ["1.8", 47, "forward"],
    ["26.3", 777, "forward"],
    ["a snapshot", 0x40000001, "forward"],
    ["a version after the table", 5_000, "forward"],
    ["a number nobody has", -1, "invalid_version"],
  ])("from 1.8 on: %s", (_name, protocol, expected) => {
    expect(told({}, { protocol })).toBe(expected);
  });

  test("shadow mode softens none of it", () => {
    const mitigation = { shadow: true, antibot: "high" as const };
    expect(told({ mitigation, blacklist: listed })).toBe("blacklist");
    expect(told({ mitigation, exclusive: other })).toBe("whitelist_only");
    expect(told({ mitigation, versions: since("1.19") })).toBe("invalid_version");
    expect(told({ mitigation }, { nameValid: false })).toBe("invalid_name");
    expect(told({ mitigation, status: "expired" })).toBe("expired");
  });
});

/** A rule on its own: settings, and a login that it refuses with this reason and these facts. */
const single: readonly [
  string,
  Partial<MitigationConfig>,
  Partial<LoginFacts>,
  Record<string, string>,
][] = [
  ["packet_size", { packet_bytes_max: 8_000 }, { frameBytes: 8_001 }, { bytes: "8001" }],
  ["forge", { anti_forge: true }, { forge: true }, { client: "forge" }],
  ["vpn", { anti_vpn: true }, { ip: ip("192.0.2.9") }, listedAs.facts],
  ["bot_name", { advanced_antibot: true }, { name: "Bot_17" }, { rule: "tool" }],
  ["bot_check", { antibot: "low" }, { attack }, { ping: "none" }],
  ["secure_profiles", { secure_profiles: true }, { protocol: 759 }, { key: "none" }],
  ["secure_profiles", { secure_profiles: true }, { protocol: 760 }, { key: "none" }],
];

describe("a mitigation alone", () => {
  test.each(single)("%s by %j refuses what it is about: %j", (reason, mitigation, of, fact) => {
    expect(decide({ mitigation }, of)).toMatchObject({ kind: "refuse", reason, facts: fact });
    expect(told({ mitigation })).not.toBe(reason);
    expect(told({}, of)).toBe("forward");
  });

  test.each(single)("%s by %j asks nothing of the whitelisted", (_reason, mitigation, of) => {
    const trusted = setOf("0.0.0.0/0");
    expect(told({ mitigation, trusted }, of)).toBe("forward");
    expect(told({ mitigation: { ...mitigation, antibot: "extreme" }, trusted }, of)).toBe(
      "forward",
    );
  });

  test.each(single)(
    "%s by %j in shadow mode is told, and let in",
    (reason, mitigation, of, fact) => {
      expect(decide({ mitigation: { ...mitigation, shadow: true } }, of)).toMatchObject({
        kind: "forward",
        shadowed: { reason, facts: fact },
      });
    },
  );

  test("a refusal carries the trace that the player reads", () => {
    const verdict = decide({ mitigation: { anti_forge: true } }, { forge: true });
    expect(verdict).toMatchObject({ trace: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{8}$/) });
  });

  test("a frame as large as the owner allows is not too large", () => {
    expect(told({ mitigation: { packet_bytes_max: 8_000 } }, { frameBytes: 8_000 })).toBe(
      "forward",
    );
  });

  test("a profile key satisfies, where the version shows it", () => {
    const mitigation = { secure_profiles: true };
    expect(told({ mitigation }, { protocol: 760, profileKey: true })).toBe("forward");
    expect(told({ mitigation }, { protocol: 761 })).toBe("verify premium");
    expect(told({ mitigation }, { protocol: 758 })).toBe("verify premium");
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
    const of: Partial<LoginFacts> = {
      name: "Bot_1",
      ip: ip("192.0.2.1"),
      protocol: 759,
      forge: true,
      frameBytes: 100_000,
    };
    const shield = rulesOf({}).mitigation.shield;
    const { memory } = knowledge;
    for (let n = 0; n < limits.addressQuiet; n++) {
      memory.countSource(shield, "address", of.ip ?? facts.ip, 4_000, nowMs);
    }
    memory.countLogin(shield, 1, nowMs);
    memory.startCooldown(shield, "Bot_1", ip("10.0.0.1"), 5_000, nowMs);
    for (let first = 0; first < rules.length; first++) {
      const mitigation = Object.assign({}, ...rules.slice(first).map(([, setting]) => setting));
      expect(told({ mitigation }, of)).toBe(rules[first]?.[0]);
    }
  });
});

describe("limits", () => {
  test("as many logins in a second as the owner allows, and as many in the next", () => {
    const mitigation = { logins_per_second: 3 };
    for (let second = 0; second < 3; second++) {
      const verdicts = Array.from({ length: 10 }, (_, n) => told({ mitigation }, named(n)));
      expect(verdicts.filter((verdict) => verdict === "forward")).toHaveLength(3);
      expect(verdicts[9]).toBe("max_connections");
      nowMs += 1_000;
    }
  });

  test("a cooldown holds name and address, tells its seconds, and no refusal prolongs it", () => {
    const mitigation = { rejoin_cooldown_ms: 5_000 };
    const elsewhere = { ip: ip("198.51.100.7") };
    expect(told({ mitigation })).toBe("forward");
    expect(decide({ mitigation }, elsewhere)).toMatchObject({ reason: "cooldown", seconds: 5 });
    nowMs += 2_500;
    expect(decide({ mitigation }, { name: "Alex" })).toMatchObject({
      reason: "cooldown",
      seconds: 3,
    });
    expect(told({ mitigation }, { ...elsewhere, name: "Alex" })).toBe("forward");
    nowMs += 2_600;
    expect(told({ mitigation })).toBe("forward");
  });

  test("names are one whatever the case", () => {
    const mitigation = { rejoin_cooldown_ms: 5_000 };
    expect(told({ mitigation })).toBe("forward");
    expect(told({ mitigation }, { name: "sTEVE", ip: ip("198.51.100.7") })).toBe("cooldown");
  });

  test("whom another rule refuses uses up nobody's room and starts no cooldown", () => {
    const mitigation = { logins_per_second: 1, rejoin_cooldown_ms: 5_000, anti_forge: true };
    for (let n = 0; n < 20; n++) expect(told({ mitigation }, { forge: true })).toBe("forge");
    expect(told({ mitigation })).toBe("forward");
  });

  test("in shadow mode they count what would go on, so that the owner sees what they would do", () => {
    const mitigation = { logins_per_second: 2, shadow: true };
    const reasons = Array.from({ length: 4 }, (_, n) => {
      const verdict = decide({ mitigation }, named(n));
      return verdict.kind === "forward" ? verdict.shadowed?.reason : verdict.kind;
    });
    expect(reasons).toEqual([undefined, undefined, "max_connections", "max_connections"]);
  });

  /** Logins let in of `count`, each under a name of its own. */
  function admitted(count: number, source: (n: number) => string, of: Partial<LoginFacts>): number {
    const verdicts = Array.from({ length: count }, (_, n) =>
      told({ mitigation: { antibot: "low" } }, { ...of, name: `P${n}`, ip: ip(source(n)) }),
    );
    return verdicts.filter((verdict) => verdict === "forward").length;
  }

  test.each([
    ["an IPv4 address", () => "203.0.113.7", limits.addressQuiet, limits.addressAttack],
    ["a /24", (n: number) => `203.0.113.${n}`, limits.networkQuiet, limits.networkAttack],
    ["a /64", (n: number) => `2001:db8::${n}`, limits.addressQuiet, limits.addressAttack],
    ["a /48", (n: number) => `2001:db8:0:${n}::1`, limits.networkQuiet, limits.networkAttack],
  ])("%s has its rate, smaller during an attack", (_name, source, inQuiet, inAttack) => {
    expect(admitted(200, source, {})).toBe(inQuiet);
    nowMs += limits.rateWindowMs;
    knowledge.memory.sawPing(rulesOf({}).mitigation.shield, ip(source(0)), nowMs);
    for (let n = 0; n < 200; n++) {
      knowledge.memory.sawPing(rulesOf({}).mitigation.shield, ip(source(n)), nowMs);
    }
    expect(admitted(200, source, { attack })).toBe(inAttack);
  });

  test("a name has one connection until it is released, but for a player who is known", () => {
    const mitigation = { antibot: "low" as const };
    expect(decide({ mitigation })).toMatchObject({ kind: "forward", holdsName: true });
    expect(told({ mitigation })).toBe("rate");
    expect(decide({ mitigation }, { proof: "protocol" })).toMatchObject({ holdsName: false });
    knowledge.memory.releaseName(rulesOf({}).mitigation.shield, "Steve");
    expect(told({ mitigation })).toBe("forward");
  });

  test("shields have nothing to do with each other", () => {
    const one = rulesOf({ mitigation: { logins_per_second: 1 } });
    const another = {
      ...one,
      mitigation: { ...one.mitigation, shield: new Uint8Array(16).fill(9) },
    };
    expect(decideLogin(facts, one, knowledge, nowMs).kind).toBe("forward");
    expect(decideLogin(facts, one, knowledge, nowMs).kind).toBe("refuse");
    expect(decideLogin(facts, another, knowledge, nowMs).kind).toBe("forward");
  });

  test("a clock that is set back holds nobody up", () => {
    const mitigation = { logins_per_second: 1, rejoin_cooldown_ms: 5_000 };
    expect(told({ mitigation })).toBe("forward");
    nowMs -= 3_600_000;
    expect(told({ mitigation })).toBe("forward");
  });
});

describe("a connection whose game is not parsed", () => {
  function refusal(change: Change, address = "203.0.113.7") {
    const of = { ip: ip(address), attack: quiet };
    return refusesConnection(of, rulesOf(change), knowledge, nowMs);
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

describe("antibot levels", () => {
  /** Of an unknown player who has pinged: verdict in quiet, and during an attack. */
  test.each([
    ["disabled", "forward", "forward"],
    ["low", "forward", "forward"],
    ["medium", "forward", "verify protocol"],
    ["high", "verify protocol", "verify protocol"],
    ["extreme", "verify gravity", "verify gravity"],
  ] as const)("%s", (antibot, inQuiet, inAttack) => {
    const mitigation = { antibot };
    knowledge.memory.sawPing(rulesOf({}).mitigation.shield, facts.ip, nowMs);
    expect(told({ mitigation })).toBe(inQuiet);
    expect(told({ mitigation }, { attack, name: "Alex" })).toBe(inAttack);
  });

  test.each(["low", "medium", "high"] as const)(
    "at %s nobody verified is asked again",
    (antibot) => {
      const mitigation = { antibot, rejoin_cooldown_ms: 30_000, advanced_antibot: true };
      knowledge.verified.add("Bot_1", facts.ip, "protocol", nowMs);
      for (let n = 0; n < 3; n++) {
        expect(told({ mitigation }, { name: "bOT_1", attack })).toBe("forward");
      }
    },
  );

  test.each([
    ["extreme", "protocol", "verify gravity"],
    ["extreme", "gravity", "forward"],
    ["extreme", "premium", "forward"],
    ["high", "gravity", "forward"],
  ] as const)("%s after a proof by %s: %s", (antibot, proof, expected) => {
    expect(told({ mitigation: { antibot } }, { proof })).toBe(expected);
  });

  test("where gravity is not to be had extreme asks for a paid account", () => {
    knowledge = { ...knowledge, canAsk: (proof) => proof !== "gravity" };
    expect(told({ mitigation: { antibot: "extreme" } })).toBe("verify premium");
    const proof = "gravity" as const;
    expect(told({ mitigation: { antibot: "extreme" } }, { proof })).toBe("verify premium");
  });

  test("a client that can show nothing is refused where something is to be shown", () => {
    const versions = since("1.6.4");
    const legacy = { protocol: 78, form: "legacy" } as const;
    expect(told({ versions, mitigation: { antibot: "high" } }, legacy)).toBe("bot_check");
    expect(told({ versions, mitigation: { antibot: "medium" } }, legacy)).toBe("forward");
    knowledge = { ...knowledge, canAsk: () => false };
    expect(told({ mitigation: { antibot: "high" } }, { name: "Alex" })).toBe("bot_check");
  });

  test("a relaxed level acts only while there is an attack, and only where it is milder", () => {
    const relaxed = (relaxedTo: "low" | "high", isUnderAttack: boolean) => ({
      attack: { isUnderAttack, relaxedTo },
    });
    knowledge.memory.sawPing(rulesOf({}).mitigation.shield, facts.ip, nowMs);
    const high = { mitigation: { antibot: "high" as const } };
    expect(told(high, { ...relaxed("low", true), name: "A1" })).toBe("forward");
    expect(told(high, { ...relaxed("low", false), name: "A2" })).toBe("verify protocol");
    const low = { mitigation: { antibot: "low" as const } };
    expect(told(low, { ...relaxed("high", true), name: "A3" })).toBe("forward");
  });

  test("in shadow mode nobody is verified", () => {
    expect(told({ mitigation: { antibot: "extreme", shadow: true } })).toBe("forward");
  });

  test("a ping from the same network counts for ten minutes", () => {
    const low = { mitigation: { antibot: "low" as const } };
    knowledge.memory.sawPing(rulesOf({}).mitigation.shield, ip("203.0.113.200"), nowMs);
    expect(told(low, { attack, name: "A1" })).toBe("forward");
    expect(told(low, { attack, name: "A2", ip: ip("203.0.114.7") })).toBe("bot_check");
    nowMs += limits.pingSeenMs + 1_000;
    expect(told(low, { attack, name: "A3" })).toBe("bot_check");
  });
});

describe("advanced antibot", () => {
  const mitigation = { advanced_antibot: true };

  function tell(names: readonly string[], of: Partial<LoginFacts> = {}): string[] {
    return names.map((name, n) => told({ mitigation }, { ...named(n), ...of, name }));
  }

  test("names that differ in their numbers are refused from the fifth on", () => {
    const told = tell(["Max_1", "Max2", "max__33", "Max4", "Max_5", "Max77"]);
    expect(told).toEqual([...Array.from({ length: 4 }, () => "forward"), "bot_name", "bot_name"]);
    expect(tell(["Maximilian1", "Steve"])).toEqual(["forward", "forward"]);
  });

  test("players who come again and again are no burst and not alike", () => {
    for (let n = 0; n < 100; n++)
      expect(tell(["Max_1", "Max_2", "Alex"])).not.toContain("bot_name");
  });

  test("random names are refused during an attack or a burst of new names only", () => {
    const random = ["xkqzjvbw", "a1b2c3d4"];
    expect(tell(random)).toEqual(["forward", "forward"]);
    expect(tell(random, { attack })).toEqual(["bot_name", "bot_name"]);
  });

  test("after a burst of new names those who have not pinged are to ask for the list first", () => {
    const names = Array.from({ length: limits.newNamesMax - 1 }, (_, n) => letters(n));
    expect(new Set(tell(names))).toEqual(new Set(["forward"]));
    expect(tell(["Herobrine"])).toEqual(["bot_check"]);
    knowledge.memory.sawPing(rulesOf({}).mitigation.shield, ip("10.0.0.1"), nowMs);
    expect(tell(["Herobrine"])).toEqual(["forward"]);
    nowMs += 2 * limits.nameWindowMs;
    expect(tell(["Notch"])).toEqual(["forward"]);
  });

  test("names that begin alike and are equally long are refused under attack", () => {
    const names = Array.from({ length: 9 }, (_, n) => `Alexx${"abcdefghi"[n] ?? ""}oe`);
    for (let n = 0; n < 256; n++) {
      knowledge.memory.sawPing(rulesOf({}).mitigation.shield, ip(`10.0.${n}.1`), nowMs);
    }
    const told = tell(names, { attack });
    expect(told.slice(0, 7)).not.toContain("bot_name");
    expect(told.slice(7)).toEqual(["bot_name", "bot_name"]);
  });

  /** Names without numbers that have nothing in common. */
  function letters(n: number): string {
    const at = (index: number): string => "aeioulmnrst"[index % 11] ?? "";
    return `${at(n)}${at(Math.floor(n / 11))}${at(n + 3)}${at(n + 5)}o${at(n * 2)}`;
  }
});
