import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  sampleBackend,
  sampleDomain,
  sampleGroup,
  sampleShield,
} from "@palisade/testing/sample-shield";
import { until } from "@palisade/testing/until";
import {
  createHome,
  parseHostPort,
  type Part,
  removeHome,
  startPart,
} from "../product/palisade.ts";
import { writeLastGood } from "../verification/edge-program.ts";
import {
  type Backends,
  echoHost,
  type Manner,
  manners,
  runStream,
  startBackends,
  type StreamResult,
  stubbornHost,
} from "./streams.ts";

export interface PacketsOptions {
  readonly streams: number;
  readonly atOnce: number;
  readonly say: (line: string) => void;
}

export interface PacketsResult {
  readonly results: ReadonlyMap<StreamResult, number>;
  readonly hotRestarts: number;
  readonly kills: number;
  /** The longest time that a connection of a player who had left was kept. */
  readonly keptMsMax: number;
  /** Descriptors and resident bytes of edge and relay processes, after the warm-up and at the end. */
  readonly before: Usage;
  readonly after: Usage;
}

export interface Usage {
  readonly descriptors: number;
  readonly residentBytes: number;
}

const refusedPauseMs = 250;
/** A tenth of the streams is the warm-up. */
const warmUp = 0.1;
/** At these parts of the streams the edge is restarted with SIGUSR2, or killed. */
const restartsAt = [0.2, 0.4, 0.6];
const killsAt = [0.3, 0.7];

/** Streams of every manner through an edge that is restarted and killed while they run. */
export async function runPackets(options: PacketsOptions): Promise<PacketsResult> {
  const { streams, atOnce, say } = options;
  const home = await createHome();
  const backends = await startBackends();
  await writeLastGood(path.join(home, "edge/config"), shieldsOf(backends));
  const settings = { PALISADE_API_URL: "http://127.0.0.1:9", PALISADE_EDGE_WORKERS: "2" };
  const edge = await startPart("edge", home, settings);
  const java = parseHostPort(edge.facts["java"] ?? "");
  const results = new Map<StreamResult, number>();
  const events = eventsOf(edge, say);
  let next = 0;
  let before: Promise<Usage> | undefined;
  const lane = async (): Promise<void> => {
    while (next < streams) {
      const number = next++;
      if (number >= streams * warmUp) before ??= usageOf(edge);
      events.reached(number / streams);
      const result = await runStream(java, mannerOf(number), number);
      results.set(result, (results.get(result) ?? 0) + 1);
      // An edge that is being started refuses at once.
      if (result === "not joined") await delay(refusedPauseMs);
      if (result === "broken") say(`BROKEN stream ${number} (${mannerOf(number)})`);
      if (number % 1_000 === 999) say(`${number + 1} streams begun: ${listed(results)}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, lane));
    await events.done();
    await until(() => backends.left() === 0, {
      capMs: 120_000,
      what: "backends of players who left",
    });
    const after = await usageOf(edge);
    const first = (await before) ?? after;
    return {
      results,
      ...events.counts(),
      keptMsMax: backends.keptMsMax(),
      before: first,
      after,
    };
  } finally {
    await edge.stop();
    backends.stop();
    await removeHome(home);
  }
}

function mannerOf(number: number): Manner {
  return manners[number % manners.length] ?? "plain";
}

function listed(results: ReadonlyMap<StreamResult, number>): string {
  return [...results].map(([name, count]) => `${count} ${name}`).join(", ");
}

function shieldsOf({ echoPort, stubbornPort }: Backends) {
  const places = [
    [echoHost, echoPort],
    [stubbornHost, stubbornPort],
  ] as const;
  return places.map(([host, port], index) => {
    const sample = sampleShield({ groups: [sampleGroup(sampleBackend(port))] });
    const shieldId = `${sample.shield_id.slice(0, -1)}${index}`;
    const label = `abcdefghijk${index}.gs.localhost`;
    return { ...sample, shield_id: shieldId, label, domains: [sampleDomain(host)] };
  });
}

/** Restarts and kills, one after the other, each once its part of the streams is reached. */
function eventsOf(edge: Part, say: (line: string) => void) {
  const due = [
    ...restartsAt.map((at) => ({ at, kind: "restart" as const })),
    ...killsAt.map((at) => ({ at, kind: "kill" as const })),
  ].toSorted((a, b) => a.at - b.at);
  let running = Promise.resolve();
  let hotRestarts = 0;
  let kills = 0;
  const restart = async (): Promise<void> => {
    say("hot restart");
    edge.process.kill("SIGUSR2");
    await edge.isBack(++hotRestarts + kills);
    await until(async () => (await edge.pids()).length === 1, { capMs: 60_000 });
  };
  const kill = async (): Promise<void> => {
    say("kill -9");
    await edge.killProgram();
    await edge.isBack(++kills + hotRestarts);
  };
  return {
    reached(part: number): void {
      while (due[0] !== undefined && part >= due[0].at) {
        const work = due.shift()?.kind === "kill" ? kill : restart;
        running = running.then(work);
      }
    },
    done: () => running,
    counts: () => ({ hotRestarts, kills }),
  };
}

/** Descriptors and memory of the edge; relay processes without players may end in between. */
async function usageOf(edge: Part): Promise<Usage> {
  let descriptors = 0;
  let residentBytes = 0;
  for (const pid of await edge.pids()) {
    descriptors += (await readdir(`/proc/${pid}/fd`)).length;
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    residentBytes += 1_024 * Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  }
  return { descriptors, residentBytes };
}
