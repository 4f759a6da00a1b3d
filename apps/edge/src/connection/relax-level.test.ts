import type { AntibotLevel } from "@palisade/contract/edge/plain-values";
import type { MitigationConfig } from "@palisade/contract/edge/shield-config";
import { describe, expect, test } from "vitest";
import { AttackDetector } from "#src/rules/attack-detector.ts";
import { VerifiedPlayers } from "@palisade/login-rules/shared/verified-players";
import { compileShield } from "#src/shields/compiled-shield.ts";
import { ShieldCounters } from "#src/telemetry/shield-counters.ts";
import { testBackend, testGroup, testShield } from "#src/testing/test-edge.ts";
import { playerMac } from "@palisade/login-rules/shared/player-mac";
import {
  FalsePositiveDetector,
  regularMs,
  regularsFailedMax,
} from "#src/challenge/false-positive-detector.ts";
import { type RelaxLevelDeps, relaxLevel } from "./login-kicks.ts";

interface Player {
  readonly name: string;
  readonly ip: Uint8Array;
  readonly protocol: number;
}

const enough = regularsFailedMax;

/** Different players, each in a network of their own. */
function playersOf(count: number, second = 0): Player[] {
  return Array.from({ length: count }, (_, n) => ({
    name: `Player${n}`,
    ip: Uint8Array.of(203, second, n, 7),
    protocol: 765,
  }));
}

/** A shield at this level whose owner lets an attack last for two days. */
function setUp(antibot: AntibotLevel = "extreme", changes: Partial<MitigationConfig> = {}) {
  let nowMs = Date.parse("2030-01-15T12:00:00.000Z");
  const { mitigation } = testShield();
  const attacked = { attack_threshold: 1, attack_duration_ms: 2 * regularMs };
  const shieldAt = (level: AntibotLevel) => {
    const config = testShield({
      groups: [testGroup(testBackend(1))],
      mitigation: { ...mitigation, ...attacked, ...changes, antibot: level },
    });
    const compiled = compileShield(config, new ShieldCounters(config.shield_id), undefined);
    if (!compiled.ok) throw new Error(compiled.reason);
    const { attack, rules } = compiled.shield;
    if (attack === undefined) throw new Error("no attack rules");
    return { attack, rules };
  };
  let shield = shieldAt(antibot);
  const detector = new AttackDetector(AttackDetector.allocate());
  const verified = new VerifiedPlayers(
    VerifiedPlayers.allocate({ slots: 1_024 }),
    playerMac(Buffer.alloc(32)),
  );
  const now = (): number => nowMs;
  const deps: RelaxLevelDeps = {
    attacks: detector,
    verified,
    falsePositives: new FalsePositiveDetector(FalsePositiveDetector.allocate(new Uint8Array(8))),
    nowMs: now,
    monotonicMs: now,
  };
  return {
    pass: (ms: number) => void (nowMs += ms),
    verify(players: readonly Player[]) {
      for (const { name, ip } of players) verified.add(name, ip, "protocol", nowMs);
    },
    /** Players who have been known for long. */
    regulars(count = enough, second = 0): Player[] {
      const players = playersOf(count, second);
      for (const { name, ip } of players)
        verified.add(name, ip, "protocol", nowMs - regularMs - 60_000);
      return players;
    },
    beginAttack() {
      for (let n = 0; n < 2; n++) detector.login(shield.attack, Uint8Array.of(10, 0, 0, 1), nowMs);
    },
    endAttack() {
      nowMs += attacked.attack_duration_ms + 2_000;
      detector.drain(nowMs);
    },
    fail(players: readonly Player[]) {
      for (const player of players) relaxLevel(player, shield, deps);
    },
    setLevel(level: AntibotLevel) {
      const before = shield.attack;
      shield = shieldAt(level);
      detector.adopt(before, shield.attack);
    },
    level: () => detector.status(shield.attack, nowMs).relaxedTo,
  };
}

describe("the level of a shield under attack", () => {
  test("relaxes from extreme to high where players who have long been known fail in numbers", () => {
    const { beginAttack, regulars, fail, level } = setUp();
    const players = regulars();
    beginAttack();
    fail(players.slice(1));
    expect(level()).toBeNull();
    fail(players);
    expect(level()).toBe("high");
  });

  test("stays for unknown players, however many fail", () => {
    const { beginAttack, fail, level } = setUp();
    beginAttack();
    fail(playersOf(200));
    expect(level()).toBeNull();
  });

  test("stays for players who were verified during the attack, also on its second day", () => {
    const { beginAttack, pass, verify, fail, level } = setUp();
    beginAttack();
    const fresh = playersOf(50);
    verify(fresh);
    fail(fresh);
    expect(level()).toBeNull();
    pass(regularMs + 3_600_000);
    fail(fresh);
    expect(level()).toBeNull();
  });

  test("stays for players who were verified just before it", () => {
    const { beginAttack, pass, verify, fail, level } = setUp();
    const fresh = playersOf(50);
    verify(fresh);
    pass(regularMs / 2);
    beginAttack();
    fail(fresh);
    expect(level()).toBeNull();
  });

  test("is the owner's again once the attack is over, and the count begins anew", () => {
    const { beginAttack, endAttack, regulars, fail, level } = setUp();
    fail(regulars());
    expect(level()).toBeNull();
    beginAttack();
    fail(regulars());
    expect(level()).toBe("high");
    endAttack();
    expect(level()).toBeNull();
    const later = regulars(enough, 1);
    beginAttack();
    fail(later);
    expect(level()).toBe("high");
  });

  test("is the owner's again once they set another, and the count starts anew", () => {
    const { beginAttack, regulars, fail, setLevel, level } = setUp();
    const players = regulars();
    beginAttack();
    fail(players);
    expect(level()).toBe("high");
    setLevel("extreme");
    expect(level(), "the same level").toBe("high");
    setLevel("medium");
    expect(level()).toBeNull();
    setLevel("extreme");
    expect(level()).toBeNull();
    fail(players.slice(1));
    expect(level()).toBeNull();
    fail(players);
    expect(level()).toBe("high");
  });

  test("stays if every player must have an account, and relaxes for versions whose key is checked instead", () => {
    const { beginAttack, regulars, fail, level } = setUp("extreme", { secure_profiles: true });
    const players = regulars();
    beginAttack();
    fail(players);
    expect(level()).toBeNull();
    fail(players.map((player) => ({ ...player, protocol: 760 })));
    expect(level()).toBe("high");
  });

  test.each(["high", "medium", "low"] as const)(
    "%s asks nothing of who is known, so that there is nothing to relax",
    (antibot) => {
      const { beginAttack, regulars, fail, level } = setUp(antibot);
      const players = regulars();
      beginAttack();
      fail(players);
      expect(level()).toBeNull();
    },
  );
});
