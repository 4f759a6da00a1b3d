import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { sampleDomain, sampleShield, sampleShieldId } from "@palisade/testing/sample-shield";
import { describe, expect, test } from "vitest";
import { abuseLimits, AbuseDetector } from "#src/rules/abuse-detector.ts";
import { FakeConnection } from "#src/testing/fuzz/fake-connection.ts";
import { createFuzzEdge, type FuzzEdge } from "#src/testing/fuzz/fuzz-edge.ts";
import { Random } from "#src/testing/fuzz/random.ts";
import { regularMs, regularsFailedMax } from "#src/challenge/false-positive-detector.ts";
import { beginJava } from "./handshake.ts";

const home = "203.0.113.9";
/** For a bot they are enough. */
const tries = abuseLimits.hostileMax;

/**
 * A player who joins.
 *
 * @returns the connection, and the text it gets
 */
function join(edge: FuzzEdge, host: string, from: string, name = "Steve", protocol = 758) {
  const told: string[] = [];
  const socket = new FakeConnection({
    remoteAddress: from,
    isSlow: false,
    fault: (what) => expect.unreachable(what),
    heard: (bytes) => told.push(Buffer.from(bytes).toString("latin1")),
  });
  beginJava(socket, from, 1, edge.deps);
  const handshake = { protocol, host, port: 25_565, intent: "login" } as const;
  socket.deliver(Buffer.concat([encodeHandshake(handshake), encodeLoginStart(name)]));
  return { socket, told };
}

function bansOf({ deps, now }: FuzzEdge): unknown[] {
  const watch = new AbuseDetector();
  watch.add(deps.outcomes.bySource.drain(), now());
  return watch.decide(now());
}

describe("players that the edge cannot check, who try again and again", () => {
  test.each([
    ["since there is no session server to ask", "premium.example", 0, "Checking"],
    ["since there is no room", "high.example", 12, "Too many"],
  ])("%s, read why and are never banned", (_why, host, seated, words) => {
    const edge = createFuzzEdge(new Random(1));
    for (let n = 0; n < seated; n++) join(edge, host, `198.51.100.${n}`, `Other${n}`);
    expect(edge.verification.inProgress).toBe(seated);
    for (let n = 0; n < tries; n++) {
      const { socket, told } = join(edge, host, home);
      expect(told).toMatchObject([expect.stringContaining(words)]);
      socket.deliverEnd();
    }
    expect(edge.deps.outcomes.get("unchecked")).toBe(tries);
    expect(edge.shields.hosts.find(host)?.counters.refused.get("bot_check")).toBe(tries);
    expect(bansOf(edge)).toEqual([]);
  });

  test("a player who is silent until others need the slot counts as a bot", () => {
    const edge = createFuzzEdge(new Random(1));
    const places = 12;
    for (let n = 0; n < tries + places; n++) {
      // Long enough for a slow line, and much sooner than the deadline.
      edge.advance(1_000);
      const [one, other] = [`192.0.2.${n}`, `198.51.100.${n}`];
      join(edge, "high.example", n < tries ? home : one, `One${n}`);
      join(edge, "high.example", other, `Other${n}`);
    }
    expect(edge.deps.outcomes.get("unchecked")).toBe(0);
    expect(edge.deps.outcomes.get("bot_check")).toBe(2 * (tries + places) - places);
    expect(bansOf(edge)).toEqual([{ network: `${home}/32`, seconds: abuseLimits.banSeconds }]);
  });

  test("a player who answers wrongly as often counts as a bot", () => {
    const edge = createFuzzEdge(new Random(1));
    for (let n = 0; n < tries; n++) {
      const { socket } = join(edge, "high.example", home);
      socket.deliver(Buffer.of(1, 0x7f));
      socket.deliverEnd();
    }
    expect(bansOf(edge)).toEqual([{ network: `${home}/32`, seconds: abuseLimits.banSeconds }]);
  });
});

describe("regulars of an attacked shield at level extreme", () => {
  const host = "regulars.example";
  const protocol = 758;

  /** As many as relax the level have been known for long, and there is an attack. */
  function setUp({ secureProfiles = false } = {}) {
    const edge = createFuzzEdge(new Random(1));
    const set = (antibot: "extreme" | "medium"): void => {
      const { mitigation } = sampleShield();
      const attacked = { attack_threshold: 1, attack_duration_ms: 60_000 };
      const domains = [sampleDomain(host)];
      const config = sampleShield({
        domains,
        mitigation: { ...mitigation, ...attacked, antibot, secure_profiles: secureProfiles },
      });
      expect(edge.shields.apply(config)).toEqual({ ok: true });
    };
    set("extreme");
    const { verified } = edge.deps.mitigation;
    const regulars = Array.from({ length: regularsFailedMax }, (_, n) => ({
      name: `Regular${n}`,
      from: `198.51.${n}.1`,
    }));
    for (const { name, from } of regulars) {
      verified.add(name, parseIp(from) ?? new Uint8Array(4), "protocol", edge.now());
    }
    edge.advance(regularMs + 60_000);
    for (let n = 0; n < 2; n++) join(edge, host, `203.0.${n}.1`, `Bot${n}`);
    return {
      set,
      attackFacts() {
        const attack = edge.shields.find(sampleShieldId)?.attack;
        return attack && edge.deps.mitigation.attacks.status(attack, edge.now());
      },
      /** They answer nonsense, where they are asked anything. */
      fail() {
        for (const { name, from } of regulars) {
          const { socket } = join(edge, host, from, name, protocol);
          socket.deliver(Buffer.of(1, 0x7f));
          socket.deliverEnd();
        }
      },
    };
  }

  test("relax it by failing, until its owner sets another level", () => {
    const { fail, attackFacts, set } = setUp();
    fail();
    expect(attackFacts()).toEqual({ isUnderAttack: true, relaxedTo: "high" });
    set("medium");
    expect(attackFacts()).toEqual({ isUnderAttack: true, relaxedTo: null });
  });

  test("relax nothing where every level would ask for their account", () => {
    const { fail, attackFacts } = setUp({ secureProfiles: true });
    fail();
    expect(attackFacts()).toEqual({ isUnderAttack: true, relaxedTo: null });
  });
});
