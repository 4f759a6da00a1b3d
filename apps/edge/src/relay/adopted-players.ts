import type { RelayedPlayerState, RelayMessage } from "./relay-messages.ts";
import { ProcessShares, type RateOf, type ShareRate } from "./process-shares.ts";
import type { RelayMeter } from "./relay-host.ts";

/** How an edge counts players that an earlier one has let in. */
export interface PlayerRegister {
  /** @returns to be called when the player has left */
  adopt(player: RelayedPlayerState["ids"]): () => void;
  /** The shield's counters, for bytes that are reported now. */
  meter(shield: string): RelayMeter;
  /** Bandwidth of shields. */
  readonly rateOf: RateOf;
}

/** The players of a relay process that has outlived its edge, as the next one counts them. */
export class AdoptedPlayers {
  readonly #register: PlayerRegister;
  readonly #leave = new Map<number, () => void>();
  readonly #shares = new ProcessShares();

  constructor(register: PlayerRegister) {
    this.#register = register;
  }

  get size(): number {
    return this.#leave.size;
  }

  hear(message: RelayMessage): void {
    if (message.kind === "hello") {
      for (const { id, ids } of message.players) this.#adopt(id, ids);
    } else if (message.kind === "moved")
      addMoved(message, (shield) => this.#register.meter(shield));
    else if (message.kind === "players")
      for (const id of message.events.closed ?? []) this.#closed(id);
    else if (message.kind === "closed") this.#closed(message.id);
  }

  /** The rates that the process has to be told now. */
  shareChanges(): ShareRate[] {
    return this.#shares.changes(this.#register.rateOf);
  }

  #adopt(id: number, ids: RelayedPlayerState["ids"]): void {
    const leave = this.#register.adopt(ids);
    this.#shares.entered(ids.shield);
    this.#leave.set(id, () => {
      this.#shares.left(ids.shield);
      leave();
    });
  }

  #closed(id: number): void {
    this.#leave.get(id)?.();
    this.#leave.delete(id);
  }

  /** The process has gone, and they with it. */
  end(): void {
    for (const leave of this.#leave.values()) leave();
    this.#leave.clear();
  }
}

export function addMoved(
  { moved }: Extract<RelayMessage, { kind: "moved" }>,
  meterOf: (shield: string) => RelayMeter,
): void {
  for (const [shield, up, down] of moved) {
    const meter = meterOf(shield);
    meter.bytesUp += up;
    meter.bytesDown += down;
  }
}
