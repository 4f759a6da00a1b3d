import { once } from "node:events";
import type { Socket } from "node:net";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { until } from "@palisade/testing/until";
import { afterEach, describe, expect, test } from "vitest";
import { startTestBackend } from "#src/testing/test-backend.ts";
import { startTestEdge, testBackend, testGroup, type TestPlayer } from "#src/testing/test-edge.ts";
import { sourceKey } from "./admission.ts";

const login = Buffer.concat([
  encodeHandshake({ protocol: 758, host: "play.example.org", port: 1, intent: "login" }),
  encodeLoginStart("Steve"),
]);

describe("admission", () => {
  const stops: (() => unknown)[] = [];

  afterEach(async () => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  });

  async function edgeWithEcho(...args: Parameters<typeof startTestEdge>) {
    const edge = await startTestEdge(...args);
    stops.push(edge.stop);
    const backend = await startTestBackend({
      onRaw: (socket: Socket) => void socket.pipe(socket),
    });
    stops.push(backend.stop);
    edge.apply({ groups: [testGroup(testBackend(backend.port))] });
    const join = async (): Promise<TestPlayer> => {
      const player = await edge.connect();
      player.send(login);
      await until(() => player.received.length === login.length);
      return player;
    };
    const plays = async (player: TestPlayer): Promise<void> => {
      const before = player.received.length;
      player.send(Buffer.from("x"));
      await until(() => player.received.length === before + 1);
    };
    return { edge, join, plays };
  }

  test("the oldest silent connection makes room; players keep theirs and new ones join", async () => {
    const { edge, join, plays } = await edgeWithEcho({ pendingMax: 8, pendingPerIpMax: 1_000 });
    const player = await join();
    const silent: TestPlayer[] = [];
    for (let n = 0; n < 40; n++) silent.push(await edge.connect());
    await until(() => edge.outcomes.get("shed_pending") === 32);
    await until(() => silent.slice(0, 32).every(({ isOver }) => isOver));
    expect(silent.slice(32).some(({ isOver }) => isOver)).toBe(false);
    expect(edge.admission.pending).toBe(8);
    await plays(await join());
    await plays(player);
  });

  test("short of file descriptors the silent are shed first, then the new refused", async () => {
    // 20 for connections, of which 18 for newcomers.
    const { edge, join, plays } = await edgeWithEcho({}, 148);
    const players = [await join(), await join()];
    for (let n = 0; n < 40; n++) await edge.connect();
    await until(() => edge.outcomes.get("shed_files") >= 26);
    expect(edge.admission.pending).toBeLessThanOrEqual(14);
    players.push(await join());
    for (const player of players) await plays(player);
    while (edge.admission.pending > 0) {
      edge.skip(1_000);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    // Players alone hold 18 now: nobody is left to be shed.
    while (players.length < 9) players.push(await join());
    const refused = await edge.connect();
    await until(() => refused.isOver);
    for (const player of players) await plays(player);
  });

  test("one address holds no more than its share, and gets it back", async () => {
    const { edge, join } = await edgeWithEcho({ pendingPerIpMax: 4, openPerIpMax: 6 });
    const silent = [];
    for (let n = 0; n < 6; n++) silent.push(await edge.connect());
    await until(() => edge.outcomes.get("shed_ip") === 2);
    for (const { socket } of silent) socket.destroy();
    await until(() => edge.admission.pending === 0);
    const players = [];
    for (let n = 0; n < 6; n++) players.push(await join());
    const refused = await edge.connect();
    await until(() => refused.isOver);
    expect(edge.outcomes.get("shed_ip")).toBe(3);
    const [leaving] = players;
    leaving?.socket.end();
    await once(leaving?.socket ?? refused.socket, "close");
    await until(() => edge.counters.players === 5);
    await join();
  });

  test("an IPv6 line counts by its /64, a mapped address as IPv4", () => {
    expect(sourceKey("2001:db8:1:2:3::4")).toBe(sourceKey("2001:db8:1:2:ffff::1"));
    expect(sourceKey("2001:db8:1:3::4")).not.toBe(sourceKey("2001:db8:1:2::4"));
    expect(sourceKey("::ffff:203.0.113.7")).toBe(sourceKey("203.0.113.7"));
    expect(sourceKey("fe80::1%eth0")).toBe(sourceKey("fe80::2"));
  });
});
