import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { until } from "@palisade/testing/until";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { megabyte, readSlowly, sendAll } from "#src/testing/byte-stream.ts";
import { startTestBackend } from "#src/testing/test-backend.ts";
import { startTestEdge, testBackend, testGroup, type TestEdge } from "#src/testing/test-edge.ts";

const login = Buffer.concat([
  encodeHandshake({ protocol: 758, host: "play.example.org", port: 1, intent: "login" }),
  encodeLoginStart("Steve"),
]);

describe("relay", () => {
  let edge: TestEdge;
  const stops: (() => unknown)[] = [];

  beforeEach(async () => {
    edge = await startTestEdge();
    stops.push(edge.stop);
  });
  afterEach(async () => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  });

  async function joined(): Promise<{ player: Socket; backend: Socket }> {
    const accepted = Promise.withResolvers<Socket>();
    const server = await startTestBackend({ onRaw: accepted.resolve });
    stops.push(server.stop);
    edge.apply({ groups: [testGroup(testBackend(server.port))] });
    const { socket: player } = await edge.connect();
    player.removeAllListeners("data");
    player.pause();
    player.write(login);
    const backend = await accepted.promise;
    await until(() => edge.counters.players === 1);
    return { player, backend };
  }

  test("an end travels through alone: the other way goes on", async () => {
    const { player, backend } = await joined();
    player.end("last words");
    const heard: Buffer[] = [];
    for await (const chunk of backend.iterator({ destroyOnReturn: false })) {
      heard.push(chunk as Buffer);
    }
    expect(Buffer.concat(heard).subarray(login.length).toString()).toBe("last words");
    const answer = sendAll(backend, 4 * megabyte);
    expect(await readSlowly(player)).toBe(await answer);
    await until(() => edge.counters.players === 0);
  });

  test("bytes that a backend sends before it closes reach a player who still sends and reads late", async () => {
    const { player, backend } = await joined();
    const chatter = setInterval(() => player.write(Buffer.alloc(512)), 1);
    stops.push(() => clearInterval(chatter));
    const sent = sendAll(backend, 64 * 1024);
    backend.resume();
    const digest = await sent;
    // Gone without reading on, as a server that kicks is: what the player sends now is answered by RST.
    backend.destroySoon();
    expect(await readSlowly(player)).toBe(digest);
    clearInterval(chatter);
    player.end();
    await until(() => edge.counters.players === 0);
  });

  test("a reset of one side ends the other", async () => {
    const first = await joined();
    first.backend.resetAndDestroy();
    first.player.resume();
    await once(first.player, "end");
    first.player.end();
    await until(() => edge.counters.players === 0);
    const second = await joined();
    second.backend.resume();
    second.player.resetAndDestroy();
    await once(second.backend, "end");
    second.backend.end();
    await until(() => edge.counters.players === 0);
    expect(edge.outcomes.get("forwarded")).toBe(2);
  });

  test("a pair that says nothing at all any more is let go", async () => {
    const { player, backend } = await joined();
    backend.resume();
    player.resume();
    edge.advance(5 * 60_000);
    player.write("x");
    await delay(300);
    expect(player.destroyed).toBe(false);
    await until(() => {
      edge.advance(6 * 60_000);
      return edge.counters.players === 0;
    });
  });

  test("stopping ends every player", async () => {
    const { player, backend } = await joined();
    player.resume();
    backend.resume();
    const ended = Promise.all([once(player, "end"), once(backend, "end")]);
    await edge.stop();
    await ended;
    await until(() => edge.counters.players === 0);
    expect(player.readableEnded && backend.readableEnded).toBe(true);
  });
});
