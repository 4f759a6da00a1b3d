import { once } from "node:events";
import type { Client } from "@palisade/contract/http/client";
import { routes } from "@palisade/contract/http/routes";
import { until } from "@palisade/testing/until";
import { pingStatus } from "../minecraft/java-client.ts";
import { startGameServer } from "../minecraft/peers.ts";
import { clientOf, createShield, logInAs, signUp } from "../product/account.ts";
import {
  createHome,
  databaseOf,
  logTails,
  removeHome,
  runCommand,
  startPalisade,
  type Palisade,
} from "../product/palisade.ts";
import { startPlayerLoad } from "./player-load.ts";
import { createRandom } from "./random.ts";
import { lostWrites, edgeEqualsDatabase } from "./verify.ts";
import { startWriteLoad, type WriteLoad } from "./write-load.ts";

const victims = ["api", "edge", "postgres", "supervisor"] as const;
export type Victim = (typeof victims)[number];

export interface RestartsOptions {
  readonly rounds: number;
  readonly seed: number;
  readonly say: (line: string) => void;
  /** Time from the kill until writes reach the edge and pings are answered again. */
  readonly recoveryCapMs?: number;
}

export interface RestartsResult {
  readonly recoveries: readonly { readonly victim: Victim; readonly ms: number }[];
  readonly acknowledged: number;
  readonly unanswered: number;
  readonly pings: number;
  readonly joins: number;
  readonly failedPlayers: number;
  /** Lost or wrong writes, and players that failed without cause; empty when all is well. */
  readonly broken: readonly string[];
  /** Shields whose configuration on the edge was compared with the database. */
  readonly compared: number;
}

const email = "owner@example.com";
/** Several shields, so that the limit of changes per shield is not reached. */
const shieldCount = 6;
/** Answered writes between two kills. */
const writesPerRound = 5;

/**
 * Repeatedly kills random parts of the running product under load.
 *
 * @throws when a start takes longer than its cap
 */
export async function runRestarts(options: RestartsOptions): Promise<RestartsResult> {
  const { rounds, say } = options;
  const random = createRandom(options.seed);
  const home = await createHome();
  const game = await startGameServer("Skyline", { version: "1.8.8" });
  let palisade = await startPalisade(home);
  const ports = {
    PALISADE_HTTP_PORT: new URL(palisade.consoleUrl).port,
    PALISADE_JAVA_PORT: String(palisade.java.port),
  };
  const recoveries: { victim: Victim; ms: number }[] = [];
  const broken: string[] = [];
  const stops: (() => Promise<void>)[] = [];
  try {
    await signUp(palisade.consoleUrl, email);
    const token = await logInAs(palisade.consoleUrl, email);
    const owner = (): Client => clientOf(palisade.consoleUrl, token);
    const shields = [];
    for (let n = 1; n <= shieldCount; n += 1) {
      const backend = { host: "127.0.0.1", port: game.port };
      shields.push(await createShield(owner(), backend, `play${n}.example.com`));
    }
    const shieldIds = shields.map(({ id }) => id);
    // All players come from one address here, whose rate must not matter.
    for (const id of shieldIds) {
      const body = { antibot_level: "disabled" } as const;
      await owner()(routes.mitigation.updateMitigation, { params: { id }, body });
    }
    const host = shields[0]?.domain ?? "";
    const load = startWriteLoad(owner, shieldIds);
    const players = startPlayerLoad(() => palisade.java, host);
    stops.push(
      () => load.stop(),
      () => players.stop(),
    );

    for (let round = 1; round <= rounds; round += 1) {
      const before = load.acknowledged();
      await until(() => load.acknowledged() >= before + writesPerRound, { capMs: 60_000 });
      const victim = random.pick(victims);
      const failedBefore = players.counts().failures;
      const killedAt = performance.now();
      palisade = await kill(palisade, victim, ports);
      await recovered(load, owner, () => palisade, host, options.recoveryCapMs ?? 60_000);
      const ms = Math.round(performance.now() - killedAt);
      recoveries.push({ victim, ms });
      const failed = players.counts().failures - failedBefore;
      if (failed > 0 && !mayInterruptPlayers(victim)) {
        broken.push(`round ${round}: ${failed} players failed although only ${victim} was killed`);
      }
      say(`round ${round}/${rounds}: ${victim} killed, everything works again after ${ms} ms`);
    }

    await load.stop();
    await players.stop();
    broken.push(...(await lostWrites(owner(), shieldIds, load)));
    const compared = await edgeEqualsDatabase(home);
    await runCommand(home, ["audit", "verify"]);
    const { pings, joins, failures: failedPlayers } = players.counts();
    return {
      recoveries,
      acknowledged: load.acknowledged(),
      unanswered: load.unanswered(),
      pings,
      joins,
      failedPlayers,
      broken,
      compared,
    };
  } catch (error) {
    say(await logTails(home));
    throw error;
  } finally {
    for (const stop of stops) await stop();
    await palisade.stop();
    await game.kill();
    await removeHome(home);
  }
}

/** Only these may interrupt players; the control plane may not. */
function mayInterruptPlayers(victim: Victim): boolean {
  return victim === "edge" || victim === "supervisor";
}

async function kill(
  palisade: Palisade,
  victim: Victim,
  ports: Record<string, string>,
): Promise<Palisade> {
  if (victim === "supervisor") {
    const ended = once(palisade.supervisor, "close");
    palisade.supervisor.kill("SIGKILL");
    await ended;
    return startPalisade(palisade.home, ports);
  }
  const pid =
    victim === "postgres" ? (await databaseOf(palisade.home)).pid : await palisade.pidOf(victim);
  process.kill(pid, "SIGKILL");
  return palisade;
}

/** Waits until a new write is answered and applied, and a new ping is answered. */
async function recovered(
  load: WriteLoad,
  owner: () => Client,
  palisade: () => Palisade,
  host: string,
  capMs: number,
): Promise<void> {
  const write = await until(() => load.writeNow(), {
    capMs,
    everyMs: 100,
    what: "an answered write",
  });
  await until(
    async () => {
      const query = { params: { id: write.shieldId }, query: { revision: write.revision } };
      return (await owner()(routes.servers.getPropagation, query)).data.edges_applied === 1;
    },
    { capMs, what: "the write on the edge" },
  );
  await until(() => pingStatus({ edge: palisade().java, host, capMs: 5_000 }), {
    capMs,
    what: "an answered ping",
  });
}
