import type { AntibotLevel } from "@palisade/contract/edge/shield-config";
import { describe, expect, test } from "vitest";
import { AttackBoard } from "#src/protection/attack-board.ts";
import { VerifiedPlayers } from "#src/protection/shared/verified-players.ts";
import { compileShield } from "#src/shields/compiled-shield.ts";
import { ShieldTally } from "#src/telemetry/shield-tally.ts";
import { testBackend, testGroup, testShield } from "#src/testing/test-edge.ts";
import { LevelRelief, regularsFailedMax } from "#src/verification/relief.ts";
import { playerMac } from "#src/verification/player-mac.ts";
import { type ReliefDeps, relieveLevel } from "./relieve-level.ts";

const ip = Uint8Array.of(203, 0, 113, 7);

/** A shield at this level, under attack, and how its players fail. */
function setUp(antibot: AntibotLevel = "extreme") {
  let nowMs = Date.parse("2030-01-15T12:00:00.000Z");
  const { mitigation } = testShield();
  const config = testShield({
    groups: [testGroup(testBackend(1))],
    mitigation: { ...mitigation, antibot, attack_threshold: 1, attack_duration_ms: 10_000 },
  });
  const compiled = compileShield(config, new ShieldTally(config.shield_id), undefined);
  if (!compiled.ok) throw new Error(compiled.reason);
  const { shield } = compiled;
  const { attack } = shield;
  if (attack === undefined) throw new Error("no attack rules");
  const board = new AttackBoard(AttackBoard.allocate());
  const verified = new VerifiedPlayers(
    VerifiedPlayers.allocate({ slots: 1_024 }),
    playerMac(Buffer.alloc(32)),
  );
  const now = (): number => nowMs;
  const deps: ReliefDeps = {
    attacks: board,
    verified,
    relief: new LevelRelief(LevelRelief.allocate(new Uint8Array(8))),
    nowMs: now,
    monotonicMs: now,
  };
  return {
    beginAttack() {
      for (let n = 0; n < 2; n++) board.login(attack, ip, nowMs);
    },
    endAttack() {
      nowMs += 12_000;
      board.drain(nowMs);
    },
    /** Different players, known here from before or not. */
    fail(count: number, isRegular = true) {
      for (let n = 0; n < count; n++) {
        const name = `Player${n}`;
        if (isRegular) verified.add(name, ip, "protocol", nowMs);
        relieveLevel({ name, ip }, shield, deps);
      }
    },
    level: () => board.facts(attack, nowMs).relaxedTo,
  };
}

describe("the level of a shield under attack", () => {
  test("relaxes a step where players who had been verified fail in numbers", () => {
    const { beginAttack, fail, level } = setUp();
    beginAttack();
    fail(regularsFailedMax - 1);
    expect(level()).toBeNull();
    fail(regularsFailedMax);
    expect(level()).toBe("high");
  });

  test("stays for players nobody knows, however many fail", () => {
    const { beginAttack, fail, level } = setUp();
    beginAttack();
    fail(500, false);
    expect(level()).toBeNull();
  });

  test("is the owner's again once the attack is over, and the count begins anew", () => {
    const { beginAttack, endAttack, fail, level } = setUp();
    fail(regularsFailedMax);
    expect(level()).toBeNull();
    beginAttack();
    fail(regularsFailedMax);
    expect(level()).toBe("high");
    endAttack();
    expect(level()).toBeNull();
    beginAttack();
    fail(regularsFailedMax);
    expect(level()).toBe("high");
  });

  test("is told as relaxed only where it is another one", () => {
    const { beginAttack, fail, level } = setUp("low");
    beginAttack();
    fail(regularsFailedMax);
    expect(level()).toBeNull();
  });
});
