import { until } from "@palisade/testing/until";
import type { HostedServer, JoinOutcome, JoinWish } from "../minecraft/peer-host.ts";
import type { ReachStage } from "./stage.ts";

/** Small packets: many joins in little time. */
export const version = "1.8.8";

interface Guest {
  readonly player: string;
  readonly outcome: JoinOutcome;
}

/** Players nobody has seen before, and the servers they get to. */
export class Guests {
  readonly #stage: ReachStage;
  #last = 0;

  constructor(stage: ReachStage) {
    this.#stage = stage;
  }

  async join(
    hostname: string,
    wish: Partial<Pick<JoinWish, "edge" | "from" | "ahead">> = {},
  ): Promise<Guest> {
    const { edge, peers } = this.#stage;
    const player = `Guest_${++this.#last}`;
    const whole = { edge, from: "127.0.0.50", ...wish, hostname, player, version };
    return { player, outcome: await peers.join(whole) };
  }

  /** Joins one after the other. @returns names of the servers they have got to */
  async joinInTurn(
    hostname: string,
    servers: readonly HostedServer[],
    from: readonly string[],
  ): Promise<string[]> {
    const reached: string[] = [];
    for (const address of from) reached.push(...(await this.joinAll(hostname, servers, [address])));
    return reached;
  }

  /** Joins at once, for what does not depend on who comes first. */
  joinAll(
    hostname: string,
    servers: readonly HostedServer[],
    from: readonly string[],
  ): Promise<string[]> {
    return Promise.all(
      from.map(async (address) => {
        const { player, outcome } = await this.join(hostname, { from: address });
        if (outcome.outcome !== "joined") throw new Error(`${outcome.outcome}, not joined`);
        return serverOf(servers, player);
      }),
    );
  }
}

/** Name of the server the player has got into. */
export async function serverOf(servers: readonly HostedServer[], player: string): Promise<string> {
  const has = (each: HostedServer): boolean => each.joins().some((join) => join.player === player);
  const { name } = await until(() => servers.find(has), { what: `${player} on a server` });
  return name;
}

export function countOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

export const addresses = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `127.0.2.${n + 1}`);
