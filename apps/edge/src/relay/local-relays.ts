import { Relay } from "#src/forwarding/relay.ts";
import { StreamReader } from "#src/forwarding/stream-reader.ts";
import type { TimerWheel } from "#src/session/timer-wheel.ts";
import type { RelayHost, RelayOrder, RunningRelay } from "./relay-host.ts";

/** Relays in the process that took the players. */
export class LocalRelays implements RelayHost {
  readonly #wheel: TimerWheel;
  readonly #relays = new Set<Relay>();

  constructor(wheel: TimerWheel) {
    this.#wheel = wheel;
  }

  get size(): number {
    return this.#relays.size;
  }

  take({ player, backend, reader, ...order }: RelayOrder): RunningRelay {
    const ends = {
      player: { socket: player, reader: new StreamReader(player) },
      backend: { socket: backend, reader },
    };
    const relay = new Relay({ ...ends, ...order }, this.#wheel, () => {
      this.#relays.delete(relay);
      order.events.onClosed();
    });
    this.#relays.add(relay);
    relay.start();
    return relay;
  }

  stop(): void {
    for (const relay of this.#relays) relay.destroy();
  }
}
