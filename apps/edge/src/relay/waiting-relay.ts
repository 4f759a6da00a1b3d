import type { RelayHost, RelayOrder, RunningRelay } from "./relay-host.ts";

/** A player whose host is still to come: nothing is taken of what he or the backend says. */
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
    if (!player.destroyed && !backend.destroyed) {
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
