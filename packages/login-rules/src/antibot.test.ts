import { beforeEach, describe, expect, test } from "vitest";
import { attack, facts, ip, named, since, Verdicts } from "./testing/verdict-fixture.ts";
import { mitigationLimits as limits } from "./login-memory.ts";
import type { LoginAttempt } from "./login-attempt.ts";

let at: Verdicts;

beforeEach(() => {
  at = new Verdicts();
});

describe("antibot levels", () => {
  /** The verdict on an unknown player who has pinged: in quiet times, and during an attack. */
  test.each([
    ["disabled", "forward", "forward"],
    ["low", "forward", "forward"],
    ["medium", "forward", "verify protocol"],
    ["high", "verify gravity", "verify gravity"],
    ["extreme", "verify captcha", "verify captcha"],
  ] as const)("%s", (antibot, inQuiet, inAttack) => {
    const mitigation = { antibot };
    at.sawPing(facts.ip);
    expect(at.told({ mitigation })).toBe(inQuiet);
    expect(at.told({ mitigation }, { attack, name: "Alex" })).toBe(inAttack);
  });

  test.each(["low", "medium", "high"] as const)(
    "at %s no verified player is challenged again",
    (antibot) => {
      const mitigation = { antibot, rejoin_cooldown_ms: 30_000, advanced_antibot: true };
      at.state.verified.add("Bot_1", facts.ip, "gravity", at.nowMs);
      for (let n = 0; n < 3; n++) {
        expect(at.told({ mitigation }, { name: "bOT_1", attack })).toBe("forward");
      }
    },
  );

  test.each([
    ["extreme", "protocol", "verify captcha"],
    ["extreme", "gravity", "verify captcha"],
    ["extreme", "captcha", "forward"],
    ["extreme", "premium", "forward"],
    ["high", "protocol", "verify gravity"],
    ["high", "gravity", "forward"],
    ["high", "captcha", "forward"],
  ] as const)("%s after a challenge by %s: %s", (antibot, challenge, expected) => {
    expect(at.told({ mitigation: { antibot } }, { passed: challenge })).toBe(expected);
  });

  test("a client that can show nothing is refused where something is to be shown", () => {
    const versions = since("1.6.4");
    const legacy = { protocol: 78, form: "legacy" } as const;
    expect(at.told({ versions, mitigation: { antibot: "high" } }, legacy)).toBe("bot_check");
    expect(at.told({ versions, mitigation: { antibot: "medium" } }, legacy)).toBe("forward");
    at.state = { ...at.state, canAsk: () => false };
    expect(at.told({ mitigation: { antibot: "high" } }, { name: "Alex" })).toBe("bot_check");
  });

  test("a relaxed level acts only while there is an attack, and only where it is milder", () => {
    const relaxed = (relaxedTo: "low" | "high", isUnderAttack: boolean) => ({
      attack: { isUnderAttack, relaxedTo },
    });
    at.sawPing(facts.ip);
    const high = { mitigation: { antibot: "high" as const } };
    expect(at.told(high, { ...relaxed("low", true), name: "A1" })).toBe("forward");
    expect(at.told(high, { ...relaxed("low", false), name: "A2" })).toBe("verify gravity");
    const low = { mitigation: { antibot: "low" as const } };
    expect(at.told(low, { ...relaxed("high", true), name: "A3" })).toBe("forward");
  });

  test("in shadow mode no player is challenged", () => {
    expect(at.told({ mitigation: { antibot: "extreme", shadow: true } })).toBe("forward");
  });

  test("a ping from the same network counts for ten minutes", () => {
    const low = { mitigation: { antibot: "low" as const } };
    at.sawPing(ip("203.0.113.200"));
    expect(at.told(low, { attack, name: "A1" })).toBe("forward");
    expect(at.told(low, { attack, name: "A2", ip: ip("203.0.114.7") })).toBe("bot_check");
    at.nowMs += limits.pingSeenMs + 1_000;
    expect(at.told(low, { attack, name: "A3" })).toBe("bot_check");
  });
});

describe("advanced antibot", () => {
  const mitigation = { advanced_antibot: true };

  function tell(names: readonly string[], of: Partial<LoginAttempt> = {}): string[] {
    return names.map((name, n) => at.told({ mitigation }, { ...named(n), ...of, name }));
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
    at.sawPing(ip("10.0.0.1"));
    expect(tell(["Herobrine"])).toEqual(["forward"]);
    at.nowMs += 2 * limits.nameWindowMs;
    expect(tell(["Notch"])).toEqual(["forward"]);
  });

  test("names that begin alike and are equally long are refused under attack", () => {
    const names = Array.from({ length: 9 }, (_, n) => `Alexx${"abcdefghi"[n] ?? ""}oe`);
    for (let n = 0; n < 256; n++) {
      at.sawPing(ip(`10.0.${n}.1`));
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
