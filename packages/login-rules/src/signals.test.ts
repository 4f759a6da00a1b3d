import { releases } from "@palisade/minecraft-protocol/java/releases";
import { beforeEach, describe, expect, test } from "vitest";
import type { LoginAttempt } from "./login-attempt.ts";
import { signalsForLog } from "./login-verdict.ts";
import { historyLimits } from "./source-history.ts";
import { signalOf, suspicionOf } from "./suspicion.ts";
import { attack, type Change, facts, ip, rulesOf, Verdicts } from "./testing/verdict-fixture.ts";

const medium: Change = { mitigation: { antibot: "medium" } };
const newest = releases.at(-1)?.[1] ?? 0;

describe("the evidence of a login", () => {
  let verdicts: Verdicts;

  beforeEach(() => {
    verdicts = new Verdicts();
    verdicts.sawPing(facts.ip);
  });

  function parts(of: Partial<LoginAttempt> = {}, change = medium): string[] {
    const { state, nowMs } = verdicts;
    const signals = signalsForLog({ ...facts, ...of }, rulesOf(change), state, nowMs);
    return signals === undefined ? ["none collected"] : Object.keys(suspicionOf(signals).parts);
  }

  function fail(address: string, count: number): void {
    const { state, nowMs } = verdicts;
    for (let n = 0; n < count; n++) state.history.failed(ip(address), undefined, true, nowMs);
  }

  const far = ip("198.51.100.1");
  test.each<[string, Partial<LoginAttempt>, string[]]>([
    ["a player who has pinged", {}, []],
    ["a network that has not pinged", { ip: far }, ["no_ping"]],
    ["a player that another server has sent", { ip: far, isTransfer: true }, []],
    ["a script that sends too much at once", { wire: signalOf("early_bytes") }, ["early_bytes"]],
    ["a name of a tool", { name: "Bot_123" }, ["tool_name"]],
    ["a random name", { name: "xkcdqzwvbn" }, ["random_name"]],
    ["a version that is not in the table", { protocol: newest + 900 }, ["unknown_version"]],
    ["a client without a key, as offline ones are", { protocol: 760 }, ["no_key"]],
    [
      "a key that cannot be read",
      { protocol: 760, profileKey: { isReadable: false, expiresAtMs: 0 } },
      ["odd_key"],
    ],
    [
      "a key that has expired",
      { protocol: 760, profileKey: { isReadable: true, expiresAtMs: 1 } },
      ["odd_key"],
    ],
    [
      "an autonomous system of data centres",
      { ip: ip("192.0.2.9") },
      ["no_ping", "hosting_network"],
    ],
  ])("has, for %s", (_, of, expected) => {
    expect(parts(of)).toEqual(expected);
  });

  test("has the network's failures, until they are old", () => {
    fail("203.0.113.99", 3);
    expect(parts()).toEqual(["network_failures"]);
    fail("203.0.113.99", 30);
    expect(parts()).toEqual(["network_failures", "network_flood"]);
    verdicts.nowMs += 10 * historyLimits.networkPeriodMs;
    verdicts.sawPing(facts.ip);
    expect(parts()).toEqual([]);
  });

  test("has alike names only where the owner has them counted", () => {
    const advanced: Change = { mitigation: { antibot: "medium", advanced_antibot: true } };
    for (let n = 0; n < 4; n++) {
      verdicts.state.memory.sawName(verdicts.shield, `Miner${n}`, verdicts.nowMs);
    }
    expect(parts({ name: "Miner77" }, advanced)).toEqual(["alike_name"]);
    expect(parts({ name: "Miner77" })).toEqual([]);
  });

  test("has country and system where the edge has a database of them", () => {
    const { state, nowMs, shield } = verdicts;
    verdicts.state = { ...state, place: () => ({ country: "BR", asn: 64_496 }) };
    for (let n = 0; n < historyLimits.joinsMin; n++) {
      state.history.joined(shield, facts.protocol, { country: "DE" }, nowMs);
    }
    for (let n = 0; n < historyLimits.systemFailuresMin; n++) {
      state.history.failed(Uint8Array.of(10, 0, n, 1), { asn: 64_496 }, true, nowMs);
    }
    expect(parts()).toEqual(["system_failures", "unusual_country"]);
  });

  test("is not collected for players who are known or on the whitelist", () => {
    const { state, nowMs } = verdicts;
    const bot = { name: "Bot_1", wire: signalOf("early_bytes") };
    expect(parts({ ...bot, passed: "protocol" })).toEqual(["none collected"]);
    expect(parts(bot, { ...medium, trustedNames: new Set(["bot_1"]) })).toEqual(["none collected"]);
    state.verified.add("Bot_1", facts.ip, "protocol", nowMs);
    expect(parts(bot)).toEqual(["none collected"]);
  });

  test("is that of the log, for a login of the log", () => {
    expect(parts({ logged: signalOf("odd_host"), ip: far })).toEqual(["odd_host"]);
  });

  test("asks a suspicious player for more, and a player who is none for what the level says", () => {
    const bot = { wire: signalOf("early_bytes") };
    expect(verdicts.told(medium, { ...bot, name: "E", attack })).toBe("verify gravity");
    expect(verdicts.told(medium, { name: "B", attack })).toBe("verify protocol");
    expect(verdicts.told(medium)).toBe("forward");
    expect(verdicts.told(medium, { ...bot, name: "A" })).toBe("verify protocol");
    expect(verdicts.told({ mitigation: { antibot: "low" } }, { ...bot, name: "D" })).toBe(
      "forward",
    );
  });

  test("asks a source that has failed for more, for ten minutes", () => {
    const { state } = verdicts;
    state.history.failed(facts.ip, undefined, false, verdicts.nowMs);
    expect(verdicts.told(medium, { name: "A" })).toBe("verify protocol");
    verdicts.nowMs += historyLimits.failedMs + 1_000;
    verdicts.sawPing(facts.ip);
    expect(verdicts.told(medium, { name: "B" })).toBe("forward");
  });

  test("says in shadow mode which challenge the player would have had to pass", () => {
    const shadow: Change = { mitigation: { antibot: "medium", shadow: true } };
    const verdict = verdicts.decide(shadow, { wire: signalOf("early_bytes") });
    expect(verdict).toMatchObject({
      kind: "forward",
      wouldChallenge: "protocol",
      signals: signalOf("early_bytes"),
    });
  });
});
