import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { decodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { describedReleases } from "@palisade/testing/minecraft/described-packets";
import { type PeerEvent, startPeer, type PeerProcess } from "@palisade/testing/peer-process";
import { until } from "@palisade/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { startTestBackend } from "#src/testing/test-backend.ts";
import { startTestEdge, testBackend, testGroup, testShield } from "#src/testing/test-edge.ts";

/**
 * Clients written by others, of every protocol that minecraft-data describes, at High: they play
 * honestly, pass, come back and reach the backend. A few at a time, in one process: loading a version
 * takes longer than a visit.
 */

const host = "play.example.org";
const releases = describedReleases();
/** These play with mineflayer's physics, the others with those of host/falls.mjs: loading it is slow. */
const ofMineflayer = new Set(["1.12.2", "1.18.2", "1.21.4", "26.1"]);
const atOnce = 4;
/** Names of bots are a signal of their own, so these have others. */
const bots = [
  { player: "Agatha", version: "1.8.8", program: "minecraft-protocol" },
  { player: "Bertram", version: "1.12.2", program: "mineflayer" },
  { player: "Cordula", version: "1.20.4", program: "minecraft-protocol" },
  { player: "Dietmar", version: "1.21.4", program: "mineflayer" },
] as const;

const visitAnswer = z.looseObject({
  outcome: z.string(),
  text: z.string().optional(),
  reason: z.string().optional(),
  cookies: z.record(z.string(), z.string()).optional(),
});
type VisitAnswer = z.infer<typeof visitAnswer>;

let peers: PeerProcess;
let edge: Awaited<ReturnType<typeof startTestEdge>>;
let backend: Awaited<ReturnType<typeof startTestBackend>>;
/** Protocols and names of the logins that the backend has heard. */
const joined = new Map<string, number>();
let commands = 0;

beforeAll(async () => {
  peers = startPeer("limbo-host.mjs", {});
  edge = await startTestEdge({ pendingPerIpMax: 500, openPerIpMax: 500 });
  backend = await startTestBackend({
    onRaw: (socket) => {
      let bytes = Buffer.alloc(0);
      socket.on("data", (chunk: Buffer) => {
        bytes = Buffer.concat([bytes, chunk]);
        noteJoin(bytes);
      });
    },
  });
  const { mitigation, messages } = testShield();
  edge.apply({
    versions: { min: "1.7.2", max: null },
    mitigation: { ...mitigation, antibot: "high" },
    messages: { ...messages, bot_check: "Not verified {trace}", rejoin: "Verified, rejoin" },
    groups: [testGroup(testBackend(backend.port))],
  });
  await peers.event("ready");
});
afterAll(async () => {
  await peers.kill();
  await edge.stop();
  await backend.stop();
});

function noteJoin(bytes: Buffer): void {
  const first = readFrame(bytes, 0, 1_000);
  if (first.kind !== "packet") return;
  const second = readFrame(bytes, first.bodyEnd, 1_000);
  const hello = decodeHandshake(bytes, first.bodyStart, first.bodyEnd);
  if (second.kind !== "packet" || !hello.ok) return;
  const nameBytes = bytes[second.bodyStart] ?? 0;
  const name = bytes.toString("latin1", second.bodyStart + 1, second.bodyStart + 1 + nameBytes);
  joined.set(name, hello.handshake.protocol);
}

async function tell(command: object): Promise<PeerEvent> {
  const id = ++commands;
  peers.send({ id, ...command });
  return await peers.event("answer", (event) => event["id"] === id);
}

function nameOf(version: string): string {
  return `P_${version.replaceAll(".", "_")}`;
}

async function visit(version: string, wish: object, player = nameOf(version)) {
  const command = { do: "visit", player, version, port: edge.port, hostname: host, ...wish };
  return visitAnswer.parse(await tell(command));
}

describe("at High, real clients of every version", () => {
  const outcomes = new Map<string, VisitAnswer>();

  beforeAll(async () => {
    const waiting = [...releases.entries()];
    const visitNext = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [n, { version }] = next;
        const program = ofMineflayer.has(version) ? "mineflayer" : "minecraft-protocol";
        // Loopback addresses of networks of their own, as players have.
        const localAddress = `127.40.${n}.1`;
        const outcome = await visit(version, { program, localAddress });
        outcomes.set(version, outcome);
        const { cookies = {} } = outcome;
        const intent = outcome.outcome === "transferred" ? "transfer" : "login";
        const back = { player: nameOf(version), version, port: edge.port, hostname: host };
        await tell({ do: "enter", ...back, localAddress, intent, cookies });
      }
    };
    await Promise.all(Array.from({ length: atOnce }, visitNext));
  }, 240_000);

  test.each(releases)("$version passes and ends in its backend", async ({ version, protocol }) => {
    const outcome = outcomes.get(version);
    if (protocol >= 766) expect(outcome).toMatchObject({ outcome: "transferred" });
    else expect(outcome).toMatchObject({ outcome: "kicked", text: "Verified, rejoin" });
    await until(() => joined.has(nameOf(version)), { what: `${version} in the backend` });
    expect(joined.get(nameOf(version))).toBe(protocol);
  });
});

test("bots that answer everything but do not fall stay in the limbo until their time is over", async () => {
  const visits = bots.map(async ({ player, version, program }, n) => {
    return await visit(version, { program, physics: false, localAddress: `127.41.${n}.1` }, player);
  });
  for (const { player } of bots) {
    await peers.event("arrived", (event) => event["player"] === player);
  }
  const over = Promise.all(visits).then((outcomes) => (ends = outcomes));
  let ends: VisitAnswer[] | undefined;
  await until(
    () => {
      edge.advance(3_000);
      return ends;
    },
    { everyMs: 100 },
  );
  await over;
  for (const end of ends ?? []) {
    expect(end.outcome).not.toBe("transferred");
    expect(end.text ?? "").not.toContain("rejoin");
  }
  for (const { player } of bots) expect(joined.has(player)).toBe(false);
});
