import type { MitigationConfig } from "@palisade/contract/edge/shield-config";
import { encodeFrame } from "@palisade/minecraft-protocol/java/fields";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startTestBackend } from "#src/testing/test-backend.ts";
import {
  shieldId,
  startTestEdge,
  testBackend,
  testGroup,
  type TestEdge,
  type TestPlayer,
} from "#src/testing/test-edge.ts";
import { cookieRequest } from "#src/challenge/transfer-cookie.ts";

let edge: TestEdge;
let backend: Awaited<ReturnType<typeof startTestBackend>>;
const players: TestPlayer[] = [];

beforeAll(async () => {
  edge = await startTestEdge();
  backend = await startTestBackend({
    onRaw: (socket) => void socket.once("data", () => socket.write("joined")),
  });
});
afterEach(async () => {
  for (const { socket } of players.splice(0)) socket.destroy();
  // Players who leave are logged, too.
  await until(() => edge.admission.pending === 0);
  edge.logins.takeAll();
});
afterAll(async () => {
  await edge.stop();
  await backend.stop();
});

function protect(mitigation: Partial<MitigationConfig>, lists = {}): void {
  const cookie_key = Buffer.alloc(32, 7).toString("base64");
  edge.protect([testGroup(testBackend(backend.port))], { cookie_key, ...mitigation }, lists);
}

/** Sent here from elsewhere, up to the edge's first words. */
async function arrive(name = "Steve", from = "127.0.0.1"): Promise<TestPlayer> {
  const player = await edge.connect(edge.port, from);
  players.push(player);
  const host = "play.example.org";
  const login = { protocol: 772, host, port: 25_565, intent: "transfer" } as const;
  player.send(Buffer.concat([encodeHandshake(login), encodeLoginStart(name, new Uint8Array(16))]));
  await until(() => player.received.length > 0);
  return player;
}

const isAsked = ({ received }: TestPlayer): boolean => received.equals(cookieRequest);

describe("a login by transfer", () => {
  test("that says nothing when it is asked what it brings is counted at once, and refused", async () => {
    protect({ antibot: "high" });
    const before = edge.counters.ofShield(shieldId).logins;
    const player = await arrive();
    expect(isAsked(player)).toBe(true);
    expect(edge.counters.ofShield(shieldId).logins - before).toBe(1);
    edge.advance(6_000);
    await until(() => player.isOver);
    expect(player.text).toContain("Checking");
    expect(edge.logins.take(9)).toMatchObject([
      { verdict: "bot_check", facts: { cookie: "silence" } },
    ]);
  });

  test("that answers something else is refused", async () => {
    protect({ antibot: "high" });
    const player = await arrive();
    player.send(encodeFrame(1, Buffer.of(1, 2, 3)));
    await until(() => player.isOver);
    expect(edge.logins.take(9)).toMatchObject([
      { verdict: "bot_check", facts: { cookie: "malformed" } },
    ]);
  });

  test("in numbers is an attack, even if no client answers", async () => {
    protect({ antibot: "high", attack_threshold: 1 });
    await until(async () => {
      await Promise.all(["A", "B", "C"].map((name) => arrive(name)));
      edge.attacks.tick();
      return edge.attacks.size > 0;
    });
  });

  test.each([
    ["from the blacklist", {}, { blacklist: ["127.0.0.1"] }, "blacklist"],
    ["in a second that is full", { logins_per_second: 0 }, {}, "max_connections"],
  ])("%s is refused before it is asked anything", async (_where, mitigation, lists, verdict) => {
    protect({ antibot: "high", ...mitigation }, lists);
    const player = await arrive();
    expect(isAsked(player)).toBe(false);
    await until(() => player.isOver);
    expect(edge.logins.take(9)).toMatchObject([{ verdict }]);
  });

  test("by a name on the whitelist joins without an answer to the request for a cookie", async () => {
    const named = { whitelist_names: ["steve"], whitelist_enabled: true };
    protect({ antibot: "extreme" }, named);
    expect((await arrive()).text).toBe("joined");
  });

  test.each([
    ["from the whitelist", {}, { whitelist: ["127.0.0.1"], whitelist_enabled: true }],
    ["in shadow mode", { shadow: true }, {}],
  ])("%s is asked nothing", async (_where, mitigation, lists) => {
    protect({ antibot: "extreme", ...mitigation }, lists);
    expect((await arrive()).text).toBe("joined");
  });
});
