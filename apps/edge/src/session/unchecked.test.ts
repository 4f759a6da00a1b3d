import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { describe, expect, test } from "vitest";
import { abuseLimits, AbuseWatch } from "#src/protection/abuse.ts";
import { FakeSocket } from "#src/testing/fuzz/fake-socket.ts";
import { createFuzzEdge, type FuzzEdge } from "#src/testing/fuzz/fuzz-edge.ts";
import { Random } from "#src/testing/fuzz/random.ts";
import { Session } from "./session.ts";

const home = "203.0.113.9";
/** Of a bot they are enough. */
const tries = abuseLimits.hostileMax;

/** Somebody who joins. @returns his connection, and what he is told */
function join(edge: FuzzEdge, host: string, from: string, name = "Steve") {
  const told: string[] = [];
  const socket = new FakeSocket({
    remoteAddress: from,
    isSlow: false,
    fault: (what) => expect.unreachable(what),
    heard: (bytes) => told.push(bytes.toString("latin1")),
  });
  void new Session(socket.asSocket, from, 1, edge.deps);
  const handshake = { protocol: 758, host, port: 25_565, intent: "login" } as const;
  socket.deliver(Buffer.concat([encodeHandshake(handshake), encodeLoginStart(name)]));
  return { socket, told };
}

function bansOf({ deps, now }: FuzzEdge): unknown[] {
  const watch = new AbuseWatch();
  watch.add(deps.outcomes.bySource.drain(), now());
  return watch.decide(now());
}

describe("players whom the edge cannot check, who try again and again", () => {
  test.each([
    ["since there is no session server to ask", "premium.example", 0, "Checking"],
    ["since there is no room", "high.example", 12, "Too many"],
  ])("%s, read why and are never banned", (_why, host, seated, words) => {
    const edge = createFuzzEdge(new Random(1));
    for (let n = 0; n < seated; n++) join(edge, host, `198.51.100.${n}`, `Other${n}`);
    expect(edge.desk.seated).toBe(seated);
    for (let n = 0; n < tries; n++) {
      const { socket, told } = join(edge, host, home);
      expect(told).toMatchObject([expect.stringContaining(words)]);
      socket.deliverEnd();
    }
    expect(edge.deps.outcomes.get("unchecked")).toBe(tries);
    expect(edge.shields.route(host)?.tally.refused.get("bot_check")).toBe(tries);
    expect(bansOf(edge)).toEqual([]);
  });

  test("who answers wrongly as often is a bot", () => {
    const edge = createFuzzEdge(new Random(1));
    for (let n = 0; n < tries; n++) {
      const { socket } = join(edge, "high.example", home);
      socket.deliver(Buffer.of(1, 0x7f));
      socket.deliverEnd();
    }
    expect(bansOf(edge)).toEqual([{ network: `${home}/32`, seconds: abuseLimits.banSeconds }]);
  });
});
