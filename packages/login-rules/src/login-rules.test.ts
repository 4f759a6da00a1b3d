import { beforeEach, describe, expect, test } from "vitest";
import { attack, ip, named, rulesOf, Verdicts } from "./testing/verdict-fixture.ts";
import { mitigationLimits as limits } from "./login-memory.ts";
import type { LoginAttempt } from "./login-attempt.ts";

let at: Verdicts;

beforeEach(() => {
  at = new Verdicts();
});

describe("limits", () => {
  test("as many logins in a second as the owner allows, and as many in the next", () => {
    const mitigation = { logins_per_second: 3 };
    for (let second = 0; second < 3; second++) {
      const verdicts = Array.from({ length: 10 }, (_, n) => at.told({ mitigation }, named(n)));
      expect(verdicts.filter((verdict) => verdict === "forward")).toHaveLength(3);
      expect(verdicts[9]).toBe("max_connections");
      at.nowMs += 1_000;
    }
  });

  test("a cooldown holds name and address, tells its seconds, and no refusal prolongs it", () => {
    const mitigation = { rejoin_cooldown_ms: 5_000 };
    const elsewhere = { ip: ip("198.51.100.7") };
    expect(at.told({ mitigation })).toBe("forward");
    expect(at.decide({ mitigation }, elsewhere)).toMatchObject({
      refusal: { reason: "cooldown", seconds: 5 },
    });
    at.nowMs += 2_500;
    expect(at.decide({ mitigation }, { name: "Alex" })).toMatchObject({
      refusal: { reason: "cooldown", seconds: 3 },
    });
    expect(at.told({ mitigation }, { ...elsewhere, name: "Alex" })).toBe("forward");
    at.nowMs += 2_600;
    expect(at.told({ mitigation })).toBe("forward");
  });

  test("names are one whatever the case", () => {
    const mitigation = { rejoin_cooldown_ms: 5_000 };
    expect(at.told({ mitigation })).toBe("forward");
    expect(at.told({ mitigation }, { name: "sTEVE", ip: ip("198.51.100.7") })).toBe("cooldown");
  });

  test("a login that another rule refuses takes no place in a limit and starts no cooldown", () => {
    const mitigation = { logins_per_second: 1, rejoin_cooldown_ms: 5_000, anti_forge: true };
    for (let n = 0; n < 20; n++) expect(at.told({ mitigation }, { forge: true })).toBe("forge");
    expect(at.told({ mitigation })).toBe("forward");
  });

  test("in shadow mode they count what would go on, so that the owner sees what they would do", () => {
    const mitigation = { logins_per_second: 2, shadow: true };
    const reasons = Array.from({ length: 4 }, (_, n) => {
      const verdict = at.decide({ mitigation }, named(n));
      return verdict.kind === "forward" ? verdict.shadowed?.reason : verdict.kind;
    });
    expect(reasons).toEqual([undefined, undefined, "max_connections", "max_connections"]);
  });

  /** Logins let in of `count`, each under a name of its own. */
  function admitted(
    count: number,
    source: (n: number) => string,
    of: Partial<LoginAttempt>,
  ): number {
    const verdicts = Array.from({ length: count }, (_, n) =>
      at.told({ mitigation: { antibot: "low" } }, { ...of, name: `P${n}`, ip: ip(source(n)) }),
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
    at.nowMs += limits.rateWindowMs;
    at.sawPing(ip(source(0)));
    for (let n = 0; n < 200; n++) {
      at.sawPing(ip(source(n)));
    }
    expect(admitted(200, source, { attack })).toBe(inAttack);
  });

  test("a name has one connection until it is released, but for a player who is known", () => {
    const mitigation = { antibot: "low" as const };
    expect(at.decide({ mitigation })).toMatchObject({ kind: "forward", holdsName: true });
    expect(at.told({ mitigation })).toBe("rate");
    expect(at.decide({ mitigation }, { passed: "protocol" })).toMatchObject({ holdsName: false });
    at.state.memory.releaseName(at.shield, "Steve");
    expect(at.told({ mitigation })).toBe("forward");
  });

  test("shields have nothing to do with each other", () => {
    const one = rulesOf({ mitigation: { logins_per_second: 1 } });
    const another = {
      ...one,
      mitigation: { ...one.mitigation, shield: new Uint8Array(16).fill(9) },
    };
    expect(at.decideBy(one).kind).toBe("forward");
    expect(at.decideBy(one).kind).toBe("refuse");
    expect(at.decideBy(another).kind).toBe("forward");
  });

  test("a clock that is set back delays no player", () => {
    const mitigation = { logins_per_second: 1, rejoin_cooldown_ms: 5_000 };
    expect(at.told({ mitigation })).toBe("forward");
    at.nowMs -= 3_600_000;
    expect(at.told({ mitigation })).toBe("forward");
  });
});
