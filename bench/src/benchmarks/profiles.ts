import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createTemporaryFolder } from "@palisade/testing/temporary-folder";
import { benchShields, protectedShields } from "#src/edge/sample-shields.ts";
import { type EdgeProgram, startEdge } from "#src/edge/edge-program.ts";
import { startStatusBackend, statusAnswer } from "#src/edge/status-backend.ts";
import { childrenOf } from "@palisade/testing/process-stats";
import { freePort } from "@palisade/testing/free-port";
import { profilesFolder } from "#src/paths.ts";
import { type CpuProfile, cpuProfile, topFunctions } from "#src/profiles/top-functions.ts";
import { compilerMissing } from "#src/programs/compile.ts";
import { startResponder } from "#src/programs/responder.ts";
import { type Exchange, type NumberRange, runExchanges } from "#src/programs/exchange-load.ts";
import { joinPlayers } from "#src/programs/players-load.ts";
import type { Row } from "#src/report/row.ts";
import { everyName as everyPlayer, firstBytes, login } from "./admission.ts";
import { exchanges } from "./answers.ts";
import { counted, everyName, stranger } from "./flood.ts";
import type { Benchmark } from "./benchmark.ts";
import { relayed } from "./relay.ts";

const functionsShown = 60;

/** CPU profiles of the edge as text in bench/profiles. Runs only when named, because profiling slows the edge. */
export const profiles: Benchmark = {
  name: "profiles",
  isExtra: true,
  missing: compilerMissing,
  async run({ seconds, say }) {
    const rows: Row[] = [];
    const take = async (name: string, work: Work, part: Part = "worker"): Promise<void> => {
      say(`profiles: ${name}`);
      const file = await profile(name, work, part);
      rows.push({ benchmark: "profiles", measure: name, unit: "", note: file });
    };
    await take("edge-ping", exchangesFor(exchanges.ping, 3 * seconds));
    await take("edge-kick", exchangesFor(exchanges.kick, 3 * seconds));
    await take("edge-refused", exchangesFor(counted, 3 * seconds));
    await take("edge-asked", exchangesFor(stranger(), 3 * seconds, everyName));
    await take("edge-login-worker", admittedLogins(3 * seconds));
    await take("edge-login-relay", admittedLogins(3 * seconds), "relay");
    await take("edge-relay", (start) => relayPackets(start, 3 * seconds), "relay");
    return rows;
  },
};

/** The process of the edge that is profiled. */
type Part = "worker" | "relay";

/** Starts the profiled edge and gives it work. */
type Work = (start: (backendPort: number) => Promise<EdgeProgram>) => Promise<void>;

function exchangesFor(exchange: Exchange, seconds: number, numbers?: NumberRange): Work {
  return async (start) => {
    const backend = await startStatusBackend();
    const edge = await start(backend.port);
    await runExchanges(edge.port, exchange, seconds, numbers);
    backend.stop();
  };
}

function admittedLogins(seconds: number): Work {
  return async (start) => {
    const backend = await startResponder({ statusAnswer, kick: firstBytes }, 0, "load");
    const edge = await start(backend.port);
    await runExchanges(edge.port, login, seconds, everyPlayer);
    await backend.stop();
  };
}

async function relayPackets(start: Parameters<Work>[0], seconds: number): Promise<void> {
  const backendPort = await freePort();
  const edge = await start(backendPort);
  const players = await joinPlayers(relayed.players, edge.port, backendPort);
  await players.packets(seconds, relayed.up, relayed.down);
  await players.stop();
}

async function profile(name: string, work: Work, part: Part): Promise<string> {
  const folder = await createTemporaryFolder("bench-profile");
  let edge: EdgeProgram | undefined;
  let startedInUs = 0;
  let pid = 0;
  try {
    await work(async (backendPort) => {
      const nodeOptions = [
        "--cpu-prof",
        `--cpu-prof-dir=${folder.path}`,
        "--cpu-prof-interval=200",
      ];
      const startedAt = performance.now();
      edge = await startEdge([...benchShields(backendPort), ...protectedShields()], {
        nodeOptions,
      });
      const [relay = 0] = childrenOf(edge.pid);
      pid = part === "worker" ? edge.pid : relay;
      startedInUs = 1_000 * (performance.now() - startedAt);
      return edge;
    });
    // A process writes its profile when it ends, with the pid in the file's name.
    await edge?.stop();
    const files = await readdir(folder.path);
    const file = files.find((each) => each.split(".").includes(String(pid))) ?? "";
    const text = await readFile(path.join(folder.path, file), "utf8");
    const target = path.join(profilesFolder, `${name}.txt`);
    await mkdir(profilesFolder, { recursive: true });
    await writeFile(target, summary(name, cpuProfile.parse(JSON.parse(text)), startedInUs));
    return path.relative(process.cwd(), target);
  } finally {
    await edge?.stop();
    await folder.remove();
  }
}

function summary(name: string, taken: CpuProfile, skipUs: number): string {
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`.padStart(8);
  const lines = topFunctions(taken, functionsShown, skipUs).map(
    (one) => `${percent(one.self)} ${percent(one.total)}  ${one.name}`,
  );
  return [`${name}: share of the time that is not idle`, "    self    total", ...lines, ""].join(
    "\n",
  );
}
