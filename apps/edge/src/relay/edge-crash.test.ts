import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { until } from "@palisade/testing/until";
import { afterEach, test } from "vitest";
import { startTestBackend } from "#src/testing/test-backend.ts";

interface Report {
  readonly port?: number;
  readonly bytes: number;
  readonly players: number;
}

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

const login = Buffer.concat([
  encodeHandshake({ protocol: 758, host: "play.example.org", port: 1, intent: "login" }),
  encodeLoginStart("Steve"),
]);

async function startEdgeProcess(backendPort: number, folder: string) {
  const program = new URL("../testing/edge-process.ts", import.meta.url);
  const edge = fork(program, [String(backendPort), folder]);
  const reports: Report[] = [];
  // The process sends nothing else.
  edge.on("message", (message) => void reports.push(message as Report));
  stops.push(() => killed(edge));
  const port = await until(() => reports[0]?.port, { what: "the edge's port" });
  return { edge, port, last: (): Report | undefined => reports.at(-1) };
}

async function killed(edge: ChildProcess): Promise<void> {
  if (edge.exitCode !== null || edge.signalCode !== null) return;
  const exited = once(edge, "exit");
  edge.kill("SIGKILL");
  await exited;
}

test("kill -9 of the edge: its players play on, and the next edge counts them and their bytes", async () => {
  const folder = await mkdtemp(join(tmpdir(), "palisade-relays-"));
  const accepted = Promise.withResolvers<Socket>();
  const server = await startTestBackend({ onRaw: accepted.resolve });
  stops.push(() => rm(folder, { recursive: true, force: true }), server.stop);
  const first = await startEdgeProcess(server.port, folder);
  const player = connect({ host: "127.0.0.1", port: first.port, allowHalfOpen: true });
  stops.push(() => player.destroy());
  player.write(login);
  const backend = await accepted.promise;
  await until(() => first.last()?.players === 1 && first.last()?.bytes === login.length);
  player.pause();
  await killed(first.edge);
  backend.write("is anybody there?");
  await until(() => player.read() !== null);
  player.write("yes");
  let heard = "";
  backend.on("data", (chunk: Buffer) => (heard += chunk.toString()));
  await until(() => heard.endsWith("yes"));
  const second = await startEdgeProcess(server.port, folder);
  await until(() => second.last()?.players === 1 && second.last()?.bytes === 20);
  player.end();
  backend.end();
  player.resume();
  backend.resume();
  await until(() => second.last()?.players === 0);
});
