import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RakNetClient } from "@palisade/testing/bedrock/raknet-client";
import { RakNetServer } from "@palisade/testing/bedrock/raknet-server";
import { freePort } from "@palisade/testing/free-port";
import { sampleBackend, sampleGroup, sampleShieldId } from "@palisade/testing/sample-shield";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { until } from "@palisade/testing/until";
import { pino } from "pino";
import { SocketHolderProcess } from "#src/hot-restart/socket-holder-process.ts";
import { startThreadedEdge, type ThreadedEdge } from "#src/testing/threaded-edge.ts";
import { ListeningSockets } from "#src/workers/listening-sockets.ts";
import { threadOf } from "./session-record.ts";

/** Bedrock players of an edge, one of whose threads ends by itself, with the process that holds its sockets. */

const workers = 2;
const advertisement = "MCPE;A server;766;1.21.50;0;100;4711;Second line;Survival;1;19132;19133;";

const stops: (() => unknown)[] = [];
let edge: ThreadedEdge;
let backend: RakNetServer;
let port: number;

beforeEach(async () => {
  const folder = await createTemporaryFolder("sockets");
  stops.push(folder.remove);
  backend = await RakNetServer.listen({ advertisement, isEcho: true });
  stops.push(() => backend.abandon());
  port = await freePort();
  const log = pino({ level: "silent" });
  const holder = new SocketHolderProcess({ folder: folder.path, lifeline: undefined, log });
  edge = await startThreadedEdge({ workers, sockets: new ListeningSockets(holder) });
  stops.push(() => edge.stop());
  const server = { ...sampleBackend(1), bedrock_port: backend.address.port };
  await edge.apply({
    groups: [sampleGroup(server)],
    bedrock: { ports: [port], only_in: [] },
  });
});
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

async function join(from: string): Promise<RakNetClient> {
  const player = await RakNetClient.open({ host: "127.0.0.1", port, from });
  stops.push(() => player.abandon());
  await player.connect();
  return player;
}

async function echo(player: RakNetClient, text: string): Promise<void> {
  const answer = Promise.withResolvers<string>();
  player.once("message", (body) => answer.resolve(body.subarray(1).toString()));
  player.sendReliable(Buffer.concat([Buffer.from([0xfe]), Buffer.from(text)]));
  expect(await answer.promise).toBe(text);
}

/** The thread that has the shield's ports ends, as by an error of its own. */
async function loseThread(): Promise<void> {
  const index = threadOf(sampleShieldId, workers);
  const thread = edge.pool.threads.find((each) => each.index === index);
  const { workersLost } = edge.threads();
  thread?.post({ kind: "changes", number: 0, text: "no JSON" });
  await until(() => edge.threads().workersLost === workersLost + 1);
}

const areBack = () => until(() => edge.threads().workers === workers, { what: "all threads" });

describe("Bedrock players of a thread that ends by itself", () => {
  test("play on at the thread that replaces it, and what they send in between arrives", async () => {
    const players = await Promise.all([join("127.4.0.1"), join("127.4.1.1")]);
    await Promise.all(players.map((player) => echo(player, "before")));
    await loseThread();
    await Promise.all(players.map((player) => echo(player, "while there is none")));
    await areBack();
    await until(() => edge.counters.players === players.length);
    expect(backend.counts.opened).toBe(players.length);
    await echo(await join("127.5.0.1"), "a newcomer");
    const [first] = players;
    await first?.close();
    await until(() => edge.counters.players === players.length);
  });

  test("are lost where that one ends at once as well, so that no player can end thread after thread", async () => {
    const player = await join("127.4.0.1");
    await echo(player, "before");
    await loseThread();
    await areBack();
    await until(() => edge.counters.players === 1);
    await loseThread();
    await areBack();
    await echo(await join("127.5.0.1"), "a newcomer");
    await until(() => edge.counters.players === 1);
    expect(backend.counts.opened).toBe(2);
  });
});
