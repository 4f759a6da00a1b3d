import { createServer, type Server } from "node:net";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { until } from "@palisade/testing/until";
import { afterEach, describe, expect, test } from "vitest";
import { attackSecondsMin } from "@palisade/login-rules/attack-rules";
import {
  shieldId,
  startTestEdge,
  testBackend,
  type TestEdge,
  testGroup,
  type TestPlayer,
  testShield,
} from "#src/testing/test-edge.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function startEdge(): Promise<TestEdge> {
  const edge = await startTestEdge();
  ends.push(() => edge.stop());
  return edge;
}

async function login(edge: TestEdge, name: string, protocol = 758): Promise<TestPlayer> {
  const player = await edge.connect();
  ends.push(() => player.socket.destroy());
  player.send(
    Buffer.concat([
      encodeHandshake({ protocol, host: "play.example.org", port: 25_565, intent: "login" }),
      encodeLoginStart(name),
    ]),
  );
  return player;
}

async function backendPort(): Promise<number> {
  const server: Server = createServer(
    (socket) => void socket.on("error", () => undefined).resume(),
  );
  server.listen(0, "127.0.0.1");
  ends.push(() => server.close());
  await until(() => server.listening);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not a TCP server");
  return address.port;
}

const { lists, mitigation } = testShield();

describe("the owner's log", () => {
  test("says that the name was on the blacklist, and not the address; another name joins", async () => {
    const edge = await startEdge();
    edge.apply({ lists: { ...lists, blacklist_names: ["steve"] } });
    const player = await login(edge, "Steve");
    await until(() => player.isOver);
    expect(player.text).toContain("Blacklisted, Steve");
    const other = await login(edge, "Alex");
    await until(() => other.isOver);
    expect(edge.logins.take(9)).toMatchObject([
      { verdict: "blacklist", player: "Steve", facts: { entry: "name" } },
      { verdict: "offline", player: "Alex" },
    ]);
  });

  test("has a refused login with the trace that the player reads", async () => {
    const edge = await startEdge();
    edge.apply({ lists: { ...lists, blacklist: ["127.0.0.1"] } });
    const player = await login(edge, "Steve");
    await until(() => player.isOver);
    const [entry] = edge.logins.take(9);
    expect(entry).toMatchObject({
      shield_id: shieldId,
      verdict: "blacklist",
      shadow: false,
      ip: "127.0.0.1",
      player: "Steve",
      protocol: 758,
      host: "play.example.org",
    });
    expect(player.text).toContain(entry?.trace);
    expect(edge.logins.size).toBe(0);
  });

  test("has each login once: joined, or why not", async () => {
    const edge = await startEdge();
    edge.apply({ groups: [testGroup(testBackend(1))] });
    const refused = await login(edge, "Steve");
    await until(() => refused.isOver);
    edge.apply({ groups: [testGroup(testBackend(await backendPort()))] });
    await login(edge, "Alex");
    await until(() => edge.logins.size === 2);
    expect(edge.logins.take(9)).toMatchObject([
      { verdict: "offline", player: "Steve" },
      { verdict: "joined", player: "Alex", trace: expect.stringMatching(/^[0-9A-Z]{8}$/) },
    ]);
  });

  test("in shadow mode has who would have been refused, as let in", async () => {
    const edge = await startEdge();
    edge.apply({
      groups: [testGroup(testBackend(await backendPort()))],
      mitigation: { ...mitigation, shadow: true, logins_per_second: 1 },
    });
    for (const name of ["Steve", "Alex", "Kai"]) await login(edge, name);
    await until(() => edge.logins.size === 3);
    const entries = edge.logins.take(9);
    // Two of them may have come in a second of their own.
    const shadowed = entries.filter(({ verdict }) => verdict === "max_connections");
    expect(shadowed.every(({ shadow }) => shadow)).toBe(true);
    const others = entries.filter(({ verdict }) => verdict !== "max_connections");
    expect(others).toMatchObject(others.map(() => ({ verdict: "joined", shadow: false })));
    const { max_connections = 0 } = edge.counted()?.shadowed ?? {};
    expect(max_connections).toBe(shadowed.length);
  });

  test("in shadow mode it has logins that would have been refused, also if no backend answered", async () => {
    const edge = await startEdge();
    edge.apply({
      groups: [testGroup(testBackend(1))],
      mitigation: { ...mitigation, shadow: true, advanced_antibot: true },
    });
    await login(edge, "Bot_17");
    await until(() => edge.logins.size === 1);
    expect(edge.logins.take(9)).toMatchObject([
      { verdict: "offline", shadow: false, facts: { shadow: "bot_name", rule: "tool" } },
    ]);
    expect(edge.counted()).toMatchObject({ refused: { offline: 1 }, shadowed: { bot_name: 1 } });
  });
});

describe("an attack on a shield", () => {
  test("is told with what was refused, from its start to its end, and ends by itself", async () => {
    const edge = await startEdge();
    const change = { ...mitigation, attack_threshold: 1, attack_duration_ms: 0 };
    edge.apply({ lists: { ...lists, blacklist: ["127.0.0.1"] }, mitigation: change });
    // Until two of them have come within one second.
    await until(async () => {
      const players = await Promise.all(Array.from({ length: 4 }, () => login(edge, "Steve")));
      await until(() => players.every(({ isOver }) => isOver));
      edge.attacks.tick();
      return edge.attacks.size > 0;
    });
    const [running] = edge.attacks.reports();
    expect(running).toMatchObject({ shield_id: shieldId, ended_at: null, sources: 1 });
    expect(running?.refused.blacklist).toBeGreaterThan(0);
    expect(running?.peak_per_second).toBeGreaterThan(1);
    edge.advance((attackSecondsMin + 1) * 1_000);
    edge.attacks.tick();
    expect(edge.attacks.reports()).toMatchObject([
      { id: running?.id, ended_at: expect.any(String) },
    ]);
  });
});
