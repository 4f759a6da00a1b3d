import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AdoptedRelays } from "./adopted-relays.ts";
import type { RelayIds } from "./relay-host.ts";
import { relayProtocol } from "./control-channel.ts";

const ids: RelayIds = {
  shield: "shield",
  backend: "backend",
  source: "127.0.0.1",
  isUnparsed: false,
};
const stops: (() => unknown)[] = [];
let folder: string;

beforeEach(async () => {
  const temporary = await createTemporaryFolder("relays");
  folder = temporary.path;
  stops.push(() => temporary.remove());
});
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

/** A stand-in for a relay process, which sends this to every edge. */
async function startSpeaker(pid: number, words: string): Promise<void> {
  const server = createServer((edge) => edge.on("error", () => undefined).write(words));
  await new Promise<void>((resolve) => server.listen(join(folder, `${pid}.sock`), resolve));
  stops.push(() => server.close());
}

function startAdopted() {
  const adopted: RelayIds[] = [];
  const kept = new AdoptedRelays({
    folder,
    register: {
      meter: () => ({ bytesUp: 0, bytesDown: 0 }),
      rateOf: () => undefined,
      adopt: ({ shield, ...rest }) => {
        adopted.push({ shield, ...rest });
        return () => undefined;
      },
    },
    log: pino({ level: "silent" }),
  });
  stops.push(() => kept.leave());
  return { kept, adopted };
}

const hello = (players: unknown, protocol: number | undefined = relayProtocol): string =>
  `${JSON.stringify({ kind: "hello", protocol, players })}\n`;

test("relay processes of another release are let be, and those that are understood adopted", async () => {
  await startSpeaker(1, `${JSON.stringify({ kind: "hello" })}\n`);
  await startSpeaker(2, hello([{ id: 1, ids }], relayProtocol + 1));
  await startSpeaker(3, hello([{ id: 1 }]));
  await startSpeaker(4, "what?\n");
  await startSpeaker(5, hello([{ id: 1, ids }]));
  const { kept, adopted } = startAdopted();
  await kept.adoptAll([]);
  expect(adopted).toEqual([ids]);
  expect([kept.notUnderstood, kept.size, kept.players]).toEqual([4, 1, 1]);
  // The next edge may understand them.
  expect(readdirSync(folder)).toHaveLength(5);
});

test("a process that falls silent is ended after half a minute, because it would not read a message", async () => {
  const hung = spawn("sleep", ["60"]);
  const ended = once(hung, "exit");
  stops.push(() => hung.kill());
  await startSpeaker(hung.pid ?? 0, hello([{ id: 1, ids }]));
  const { kept } = startAdopted();
  await kept.adoptAll([]);
  for (let look = 0; look < 29; look++) kept.tick();
  expect(hung.signalCode).toBe(null);
  kept.tick();
  expect(await ended).toEqual([null, "SIGKILL"]);
});

test("thousands of players are told in one line, however it arrives", async () => {
  const players = Array.from({ length: 20_000 }, (_, id) => ({ id, ids }));
  await startSpeaker(1, hello(players));
  const { kept } = startAdopted();
  await kept.adoptAll([]);
  expect(kept.players).toBe(20_000);
});
