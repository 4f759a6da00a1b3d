import { existsSync } from "node:fs";
import { connect, type Socket } from "node:net";
import path from "node:path";
import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import {
  sampleBackend,
  sampleDomain,
  sampleGroup,
  sampleShield,
} from "@palisade/testing/sample-shield";
import { until } from "@palisade/testing/until";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type PeerHost, startPeerHost } from "../minecraft/peer-host.ts";
import type { HostPort } from "../product/palisade.ts";
import { type EdgeProgram, startEdgeProgram } from "../verification/edge-program.ts";
import { RawClient } from "../verification/raw-client.ts";
import { type EchoServer, startEchoServer } from "./echo-server.ts";
import { startConnectionFlood, type ConnectionFlood } from "./connection-flood.ts";

/** Real edge processes with only their last good copy, under more connections than they can serve. */

const host = "guarded.example";
const protocol = 758;
const version = "1.18.2";
const blacklisted = "127.66";
const unknown = "127.77";
const regular = { name: "Regular", from: "127.0.0.20" };
const sessionServerUrl = "http://127.0.0.1:9";

function hello(name: string): Buffer {
  const handshake = encodeHandshake({ protocol, host, port: 1, intent: "login" });
  return Buffer.concat([handshake, encodeLoginStart(name)]);
}

describe("overload", () => {
  let server: EchoServer;
  let peers: PeerHost;
  const edges: EdgeProgram[] = [];
  const floods: ConnectionFlood[] = [];
  const sockets: Socket[] = [];

  beforeAll(async () => {
    [server, peers] = await Promise.all([startEchoServer(), startPeerHost()]);
  });
  afterEach(async () => {
    for (const flood of floods.splice(0)) flood.stop();
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const edge of edges.splice(0).toReversed()) await edge.stop();
  });
  afterAll(async () => {
    server.stop();
    await peers.end();
  });

  function shield(antibot: ShieldConfig["mitigation"]["antibot"]): ShieldConfig {
    const plain = sampleShield();
    return sampleShield({
      domains: [sampleDomain(host)],
      groups: [sampleGroup(sampleBackend(server.port))],
      lists: { ...plain.lists, blacklist: [`${blacklisted}.0.0/16`] },
      mitigation: { ...plain.mitigation, antibot },
    });
  }

  async function start(wish: Partial<Parameters<typeof startEdgeProgram>[0]>) {
    const edge = await startEdgeProgram({ shields: [], sessionServerUrl, ...wish });
    edges.push(edge);
    return edge;
  }

  function flood(edge: EdgeProgram, network: string, name: string): ConnectionFlood {
    const connectionFlood = startConnectionFlood(edge.address, network, hello(name), 12);
    floods.push(connectionFlood);
    return connectionFlood;
  }

  function visit(edge: EdgeProgram): RawClient {
    return new RawClient({ edge: edge.address, host, protocol, ...regular });
  }

  test("an edge that is killed in a flood restarts with its lists, its challenges and its verified players", async () => {
    const edge = await start({ shields: [shield("high")], workers: 2 });
    const { name: player, from } = regular;
    const game = { version, falls: true, greeted: true };
    const first = await peers.join({ edge: edge.address, hostname: host, player, from, ...game });
    expect(first).toMatchObject({ text: expect.stringContaining("Please rejoin") });
    const banned = flood(edge, blacklisted, "Banned");
    const bots = flood(edge, unknown, "Unknown");
    await until(() => banned.answered() > 30 && bots.answered() > 30);
    await until(() => existsSync(path.join(edge.home, "edge/verified.players")));
    await edge.kill();
    const before = { banned: banned.answered(), bots: bots.answered() };
    const again = await start({ after: edge, workers: 2 });
    await until(() => banned.answered() > before.banned + 60);
    await until(() => bots.answered() > before.bots + 60);
    const texts = [...banned.answers.keys()].filter((text) => !text.includes("Blacklisted"));
    expect(texts).toEqual([]);
    expect(server.heard()).not.toMatch(/Banned|Unknown/);
    const back = visit(again);
    await until(() => server.heard().includes(regular.name));
    back.leave();
  });

  test("when file descriptors run out, silent connections are closed, players stay and new ones join", async () => {
    const shields = [shield("disabled")];
    const edge = await start({ shields, openFilesMax: 500, workers: 2 });
    const players = await Promise.all(
      Array.from({ length: 12 }, (_, n) => join(edge.address, `127.0.1.${n + 1}`, `Player${n}`)),
    );
    // Each sends the first bytes of a handshake and then nothing.
    floods.push(startConnectionFlood(edge.address, "127.88", hello("Silent").subarray(0, 9), 500));
    await until(async () => (await edge.metric("connection_outcomes_total", "shed_files")) > 200);
    players.push(await join(edge.address, "127.0.2.1", "Late"));
    for (const player of players) expect(await echoes(player)).toBe(true);
  });

  /**
   * Joins, and tries again if the connection is closed first, as players do: on a busy machine this
   * process may say nothing for so long after it has connected that the edge takes it for a silent one.
   */
  async function join(edge: HostPort, from: string, name: string): Promise<Socket> {
    for (let tries = 0; tries < 3; tries++) {
      const socket = connect({ ...edge, localAddress: from });
      sockets.push(socket.on("error", () => undefined));
      socket.write(hello(name));
      let heard = "";
      socket.on("data", (chunk: Buffer) => void (heard += chunk.toString("latin1")));
      await until(() => heard.includes(name) || socket.closed, { what: `${name} to join` });
      if (!socket.closed) return socket;
    }
    throw new Error(`${name} was closed each time`);
  }

  function echoes(socket: Socket): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    socket.once("data", (chunk: Buffer) => resolve(chunk.includes("still here")));
    socket.once("close", () => resolve(false));
    socket.write("still here");
    return promise;
  }
});
