import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "#src/ports.ts";
import { AdoptedPlayers, type PlayerRegister } from "./player-register.ts";
import {
  ControlClient,
  adoptedProtocols,
  hungTicks,
  NotUnderstood,
  socketName,
  socketSuffix,
} from "./control-channel.ts";

export interface AdoptedRelaysDeps {
  /** Folder in which relay processes listen for edges. */
  readonly folder: string;
  readonly register: PlayerRegister;
  readonly log: Logger;
}

/** A relay process that does not answer within this time is left alone. */
const helloMs = 2_000;

/** Relay processes whose edges are gone, with the players these have let in. */
export class AdoptedRelays {
  readonly #deps: AdoptedRelaysDeps;
  readonly #adopted = new Map<ControlClient, AdoptedPlayers>();
  /**
   * Processes that were left alone because they are of another release: their players are connected
   * but not counted.
   */
  notUnderstood = 0;

  constructor(deps: AdoptedRelaysDeps) {
    this.#deps = deps;
  }

  get players(): number {
    let players = 0;
    for (const { size } of this.#adopted.values()) players += size;
    return players;
  }

  /** Processes that are there. */
  get size(): number {
    return this.#adopted.size;
  }

  /**
   * Finds the processes of earlier edges and their players. Never throws for anything it finds
   * there.
   *
   * @param taken pids of processes that an edge is already connected to: a second connection would
   *   replace the first
   */
  async adoptAll(taken: readonly number[]): Promise<void> {
    await this.adopt(pidsIn(this.#deps.folder).filter((pid) => !taken.includes(pid)));
  }

  /** Relay processes of an edge that is gone now. */
  async adopt(pids: readonly number[]): Promise<void> {
    await Promise.all(pids.map((pid) => this.#adoptOne(pid)));
    const { players } = this;
    if (players > 0) this.#deps.log.info({ players }, "players of an earlier front play on");
  }

  /**
   * Once a second: a process that hangs forwards no bytes, and does not notice that it is to end.
   */
  tick(): void {
    for (const [link, players] of this.#adopted) {
      const rates = players.shareChanges();
      if (rates.length > 0) link.send({ kind: "shares", rates });
      if (++link.silentLooks < hungTicks) continue;
      this.#deps.log.error({ relay: link.pid }, "a relay process hangs");
      link.kill();
    }
  }

  /** Ends every player. */
  end(): void {
    for (const link of this.#adopted.keys()) link.send({ kind: "end" });
  }

  /** Leaves them to themselves again. */
  leave(): void {
    for (const link of this.#adopted.keys()) link.close();
  }

  async #adoptOne(pid: number): Promise<void> {
    const { folder, register, log } = this.#deps;
    const players = new AdoptedPlayers(register);
    const heard = Promise.withResolvers<void>();
    const link = new ControlClient(folder, pid, {
      protocols: adoptedProtocols,
      onMessage: (message) => {
        players.hear(message);
        heard.resolve();
      },
      onEnd: (error) => {
        if (isNobody(error)) rmSync(join(folder, socketName(pid)), { force: true });
        if (error instanceof NotUnderstood) {
          this.notUnderstood++;
          log.warn({ err: error, relay: pid }, "a relay process is let be: it is not understood");
        }
        this.#adopted.delete(link);
        players.end();
        heard.resolve();
      },
    });
    this.#adopted.set(link, players);
    const cap = setTimeout(heard.resolve, helloMs);
    await heard.promise;
    clearTimeout(cap);
  }
}

/** The process that listened there has ended without a message. */
function isNobody(error: Error | undefined): boolean {
  return error !== undefined && "code" in error && error.code === "ECONNREFUSED";
}

function pidsIn(folder: string): number[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(socketSuffix));
    return names.map((name) => Number.parseInt(name, 10)).filter((pid) => pid > 0);
  } catch {
    // No relay process was started here so far.
    return [];
  }
}
