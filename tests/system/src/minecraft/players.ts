import { until } from "@palisade/testing/until";
import type { HostedServer, JoinOutcome, JoinOptions } from "./peer-host.ts";
import type { MinecraftFixture } from "./fixture.ts";

/** Small packets: many joins in little time. */
export const version = "1.8.8";

interface JoinedPlayer {
  readonly player: string;
  readonly outcome: JoinOutcome;
}

/** Players who are new to the edge, and the servers they reach. */
export class FreshPlayers {
  readonly #fixture: MinecraftFixture;
  #last = 0;

  constructor(fixture: MinecraftFixture) {
    this.#fixture = fixture;
  }

  async join(
    hostname: string,
    options: Partial<Pick<JoinOptions, "edge" | "from" | "ahead">> = {},
  ): Promise<JoinedPlayer> {
    const { edge, peers } = this.#fixture;
    const player = `Guest_${++this.#last}`;
    const whole = { edge, from: "127.0.0.50", ...options, hostname, player, version };
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
        return serverReachedBy(servers, player);
      }),
    );
  }
}

/** Name of the server the player has got into. */
export async function serverReachedBy(
  servers: readonly HostedServer[],
  player: string,
): Promise<string> {
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
