import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { childrenOf } from "@palisade/testing/process-stats";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { until } from "@palisade/testing/until";
import { startTestBackend } from "../test-backend.ts";
import { shieldId, startTestEdge, testBackend, testGroup } from "../test-edge.ts";
import { countCalls, withoutRepeatedWork } from "./called-files.ts";

/**
 * Prints which files one admitted login passes, from accept until both sides have closed: those of
 * the thread that takes players, and those of the relay process. A file counts if every one of
 * several equal logins has called it.
 */
const loginsBefore = 5;
const loginsCounted = 5;

withoutRepeatedWork();

const folder = await createTemporaryFolder("login-path");
const target = join(folder.path, "called");
process.env["CALLED_FILES"] = target;
process.env["NODE_OPTIONS"] = `--import=${new URL("relay-agent.ts", import.meta.url).href}`;
const calledHere = await countCalls();
const accepted: Socket[] = [];
const server = await startTestBackend({ onRaw: (socket) => accepted.push(socket) });
const relays = { folder: folder.path, lifeline: undefined };
const edge = await startTestEdge({}, 20_000, [], undefined, relays);
edge.protect(
  [testGroup(testBackend(server.port, 1), testBackend(server.port, 2))],
  // Those of a shield whose owner has changed nothing.
  { antibot: "medium", attack_threshold: 100 },
);
/** Players of the shield; asking the edge itself would be no part of a login. */
const loads = edge.shields.find(shieldId)?.counters.load;
const hello = Buffer.concat([
  encodeHandshake({ protocol: 758, host: "play.example.org", port: 25_565, intent: "login" }),
  encodeLoginStart("Steve"),
]);

async function logIn(): Promise<void> {
  const player = await edge.connect();
  player.send(hello);
  const backend = await until(() => accepted.pop());
  const [head] = (await once(backend, "data")) as [Buffer];
  if (!head.equals(hello)) throw new Error("the backend got another login");
  backend.write("welcome");
  await until(() => player.text === "welcome");
  player.socket.end();
  await once(backend, "end");
  backend.end();
  await until(() => player.isClosed && loads?.players === 0);
}

async function calledInRelay(): Promise<string[]> {
  rmSync(target, { force: true });
  for (const pid of relayPids) process.kill(pid, "SIGUSR2");
  await until(() => existsSync(target));
  return JSON.parse(readFileSync(target, "utf8")) as string[];
}

for (let n = 0; n < loginsBefore; n++) await logIn();
const relayPids = childrenOf(process.pid);
const worker: string[][] = [];
const relay: string[][] = [];
for (let n = 0; n < loginsCounted; n++) {
  await calledHere();
  await calledInRelay();
  await logIn();
  worker.push(await calledHere());
  relay.push(await calledInRelay());
}
await edge.stop();
await server.stop();
await folder.remove();
process.stdout.write(JSON.stringify({ worker: inAll(worker), relay: inAll(relay) }));

function inAll(lists: readonly string[][]): string[] {
  const [first = [], ...others] = lists;
  return first
    .filter((file) => !/\/testing\//.test(file))
    .filter((file) => others.every((list) => list.includes(file)))
    .toSorted();
}
