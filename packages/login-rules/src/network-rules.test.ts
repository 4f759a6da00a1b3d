import { antibotLevels, type NetworkAction } from "@palisade/contract/edge/plain-values";
import { beforeEach, describe, expect, test } from "vitest";
import type { LoginAttempt } from "./login-attempt.ts";
import {
  decideBeforeCookie,
  decideLogin,
  refusesConnection,
  signalsForLog,
} from "./login-verdict.ts";
import {
  attack,
  type Change,
  facts,
  ip,
  rulesOf,
  setOf,
  Verdicts,
} from "./testing/verdict-fixture.ts";

/** Places of the addresses of these tests. */
const places: Readonly<Record<string, { country?: string; asn?: number }>> = {
  "203.0.113.7": { country: "NL", asn: 64_500 },
  "198.51.100.1": { country: "NL", asn: 64_501 },
  "192.0.2.9": { country: "SE", asn: 64_496 },
  "192.0.2.10": { asn: 64_500 },
};

let verdicts: Verdicts;
let lookUps: number;
let players = 0;

/** The verdict on a player who has not tried before. */
function told(change: Change, of: Partial<LoginAttempt> = {}): string {
  players += 1;
  return verdicts.told(change, { name: `Player_${players}`, ...of });
}

beforeEach(() => {
  lookUps = 0;
  verdicts = new Verdicts();
  verdicts.state = {
    ...verdicts.state,
    place: (address) => {
      lookUps += 1;
      return places[[...address].join(".")];
    },
  };
});

function networkRules(
  countries: Readonly<Record<string, NetworkAction>>,
  networks: Readonly<Record<number, NetworkAction>> = {},
  until: number | null = null,
) {
  return {
    network_rules: {
      countries: Object.entries(countries).map(([country, action]) => ({ country, action, until })),
      networks: Object.entries(networks).map(([asn, action]) => ({
        asn: Number(asn),
        action,
        until,
      })),
    },
  };
}

const noNetherlands: Change = { mitigation: networkRules({ NL: "block" }) };
const from = (address: string) => ({ ip: ip(address) });

describe("a rule that blocks", () => {
  test("refuses its country and tells the log where the player came from", () => {
    expect(verdicts.decide(noNetherlands)).toMatchObject({
      kind: "refuse",
      refusal: {
        reason: "network",
        facts: { rule: "country", country: "NL", asn: "AS64500" },
      },
    });
    expect(told(noNetherlands, from("192.0.2.9"))).toBe("forward");
  });

  test("lets players in whose place no database tells", () => {
    expect(told(noNetherlands, from("203.0.113.99"))).toBe("forward");
    verdicts.state = { ...verdicts.state, place: undefined };
    expect(told(noNetherlands)).toBe("forward");
  });

  test("loses to a rule for the network, and wins for it where the network alone is blocked", () => {
    const but = { mitigation: networkRules({ NL: "block" }, { 64500: "allow" }) };
    expect(told(but)).toBe("forward");
    expect(told(but, from("198.51.100.1"))).toBe("network");
    const only = { mitigation: networkRules({ NL: "allow" }, { 64500: "block" }) };
    expect(told(only)).toBe("network");
    expect(told(only, from("192.0.2.10"))).toBe("network");
    expect(told(only, from("198.51.100.1"))).toBe("forward");
  });

  test("ends by the edge's own clock, and the country's rule is left", () => {
    const until = verdicts.nowMs + 1_000;
    const ending = { mitigation: networkRules({}, { 64500: "block" }, until) };
    expect(told(ending)).toBe("network");
    verdicts.nowMs = until;
    expect(told(ending)).toBe("forward");
  });

  test("comes after both lists, and shadow mode does not soften it", () => {
    const blacklist = setOf("203.0.113.0/24");
    expect(told({ ...noNetherlands, blacklist })).toBe("blacklist");
    expect(told({ ...noNetherlands, trusted: blacklist })).toBe("forward");
    expect(told({ ...noNetherlands, trustedNames: new Set(["steve"]) }, { name: "Steve" })).toBe(
      "forward",
    );
    const shadow = { mitigation: { ...noNetherlands.mitigation, shadow: true } };
    expect(told(shadow)).toBe("network");
  });

  test("refuses games that are not parsed, Bedrock, and players with any cookie, too", () => {
    const rules = rulesOf(noNetherlands);
    const { state, nowMs } = verdicts;
    expect(decideBeforeCookie(facts, rules, state, nowMs)?.reason).toBe("network");
    expect(refusesConnection({ ...facts, isNamedLater: false }, rules, state, nowMs)).toMatchObject(
      {
        reason: "network",
        shadow: false,
      },
    );
  });
});

describe("a rule that allows", () => {
  test("exempts from VPN lists", () => {
    const vpn = { anti_vpn: true };
    expect(told({ mitigation: vpn }, from("192.0.2.9"))).toBe("vpn");
    const allowed = { mitigation: { ...vpn, ...networkRules({ SE: "allow" }) } };
    expect(told(allowed, from("192.0.2.9"))).toBe("forward");
    const { state, nowMs } = verdicts;
    const login = { ...facts, ...from("192.0.2.9"), isNamedLater: false };
    expect(refusesConnection(login, rulesOf(allowed), state, nowMs)).toBeUndefined();
  });

  test("exempts from a harder check for suspicion, and not from the level's", () => {
    verdicts.state.history.failed(ip("192.0.2.9"), undefined, false, verdicts.nowMs);
    const high = { antibot: "high" } as const;
    expect(told({ mitigation: high }, from("192.0.2.9"))).toBe("verify captcha");
    const allowed = { mitigation: { ...high, ...networkRules({ SE: "allow" }) } };
    expect(told(allowed, from("192.0.2.9"))).toBe("verify gravity");
  });
});

describe("a rule that challenges", () => {
  test("asks for gravity at least, at every level", () => {
    const rules = networkRules({ NL: "challenge" });
    const asked = antibotLevels.map((antibot) => told({ mitigation: { ...rules, antibot } }));
    expect(asked.slice(0, -1)).toEqual(Array.from({ length: 4 }, () => "verify gravity"));
    expect(asked.at(-1)).toBe("verify captcha");
    verdicts.sawPing(facts.ip);
    const medium = { mitigation: { ...rules, antibot: "medium" } } as const;
    expect(told(medium, { attack })).toBe("verify gravity");
  });

  test("asks known players once, for what they have not passed", () => {
    const change = { mitigation: networkRules({ NL: "challenge" }) };
    expect(told(change, { passed: "protocol" })).toBe("verify gravity");
    expect(told(change, { passed: "gravity" })).toBe("forward");
  });

  test("asks for the nearest weaker check where a client cannot be asked", () => {
    const change = { mitigation: networkRules({ NL: "challenge" }) };
    verdicts.state = { ...verdicts.state, canAsk: (challenge) => challenge === "protocol" };
    expect(told(change)).toBe("verify protocol");
    verdicts.state = { ...verdicts.state, canAsk: () => false };
    expect(told(change)).toBe("forward");
  });
});

describe("hosting networks", () => {
  const hosted = from("192.0.2.9");

  test("are asked for one grade more from High on", () => {
    const at = (antibot: "medium" | "high" | "extreme") =>
      told({ mitigation: { antibot } }, hosted);
    expect(at("medium")).toBe("forward");
    expect(at("high")).toBe("verify captcha");
    expect(at("extreme")).toBe("verify captcha");
    expect(told({ mitigation: { antibot: "high" } })).toBe("verify gravity");
  });

  test("are asked for no more where the owner allows them, or the player is known", () => {
    const allowed = { antibot: "high", ...networkRules({}, { 64496: "allow" }) } as const;
    expect(told({ mitigation: allowed }, hosted)).toBe("verify gravity");
    const high = { mitigation: { antibot: "high" } } as const;
    expect(told(high, { ...hosted, passed: "gravity" })).toBe("forward");
  });
});

describe("the place of a player who is known", () => {
  const known = { ...facts, passed: "premium" } as const;
  function count(change: Change): number[] {
    const rules = rulesOf(change);
    const { state, nowMs } = verdicts;
    const decisions = [decideLogin, decideBeforeCookie, signalsForLog];
    return decisions.map((decision) => {
      lookUps = 0;
      decision(known, rules, state, nowMs);
      return lookUps;
    });
  }

  test("is looked up once for the owner's rules, and not for the log", () => {
    expect(count({ mitigation: networkRules({ NL: "challenge" }) })).toEqual([1, 1, 0]);
  });

  test("is not looked up where the owner has no rules", () => {
    expect(count({ mitigation: { anti_vpn: true } })).toEqual([0, 0, 0]);
  });
});
