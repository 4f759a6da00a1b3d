import type { RelayHost, RelayOrder, RunningRelay } from "./relay-host.ts";

/** A player who waits for a host: no bytes of the player or the backend are read. */
export class WaitingRelay implements RunningRelay {
  readonly #order: RelayOrder;
  #relay: RunningRelay | undefined;

  constructor(order: RelayOrder) {
    this.#order = order;
    order.player.pause();
    order.backend.pause();
  }

  /** Once. */
  start(host: Pick<RelayHost, "take">): void {
    const { player, backend, events } = this.#order;
    if (!player.isGone && !backend.isGone) {
      this.#relay = host.take(this.#order);
      return;
    }
    this.#destroyBoth();
    events.onClosed();
  }

  destroy(): void {
    if (this.#relay === undefined) this.#destroyBoth();
    else this.#relay.destroy();
  }

  #destroyBoth(): void {
    this.#order.player.destroy();
    this.#order.backend.destroy();
  }
}
