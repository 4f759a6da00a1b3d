import type { IpBytes } from "@palisade/minecraft-protocol/proxy/address";
import type { Mitigation } from "#src/connection/connection-deps.ts";
import type { AttackKey } from "#src/rules/attack-table.ts";
import { addNetwork, sourceRegisters } from "#src/rules/hyperloglog.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";

type FloodDeps = Pick<Mitigation, "attacks" | "monotonicMs">;

/**
 * Datagrams that belong to no player, of the shields whose ports this thread has. Their sources are forged
 * mostly, so nothing is kept by source, and the networks are estimated only while there is an attack.
 */
export class FloodCounts {
  readonly #counts = new Map<string, FloodCount>();
  readonly #deps: FloodDeps;
  #toldSecond: number;

  constructor(deps: FloodDeps) {
    this.#deps = deps;
    this.#toldSecond = this.#second;
  }

  /** One for all ports of the shield. It is valid until the next `tick`. */
  of({ id, attack }: Pick<CompiledShield, "id" | "attack">): FloodCount {
    let count = this.#counts.get(id);
    if (count === undefined) {
      count = new FloodCount();
      this.#counts.set(id, count);
    }
    count.attack = attack;
    return count;
  }

  /** Once a second: tells the attack detector how many have come since. */
  tick(): void {
    const { attacks, monotonicMs } = this.#deps;
    const seconds = this.#second - this.#toldSecond;
    // A call that comes early leaves its counts to the next.
    if (seconds < 1) return;
    this.#toldSecond += seconds;
    for (const [id, count] of this.#counts) {
      if (count.isAtRest) this.#counts.delete(id);
      else count.tell(attacks, seconds, monotonicMs());
    }
  }

  get #second(): number {
    return Math.floor(this.#deps.monotonicMs() / 1_000);
  }
}

const noRegisters = sourceRegisters();

export class FloodCount {
  /** Undefined: the owner wants no attacks detected. */
  attack: AttackKey | undefined;
  /** Since the last `tell`. */
  datagrams = 0;
  /** Networks that they seem to come from; undefined while there is no attack. */
  #registers: Uint8Array | undefined;

  get isAtRest(): boolean {
    return this.datagrams === 0 && this.#registers === undefined;
  }

  /** @param ip where it seems to come from */
  add(ip: IpBytes): void {
    this.datagrams += 1;
    if (this.#registers !== undefined) addNetwork(this.#registers, ip);
  }

  /** @param seconds in which they have come */
  tell(attacks: Pick<FloodDeps["attacks"], "flood">, seconds: number, nowMs: number): void {
    const perSecond = Math.round(this.datagrams / seconds);
    this.datagrams = 0;
    const registers = this.#registers ?? noRegisters;
    const isAttack =
      this.attack !== undefined && attacks.flood(this.attack, perSecond, registers, nowMs);
    this.#registers = isAttack ? sourceRegisters() : undefined;
  }
}
