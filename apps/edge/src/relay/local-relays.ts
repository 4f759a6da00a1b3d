import { threadReactor } from "#src/reactor/thread-reactor.ts";
import type { TimerWheel } from "#src/reactor/timer-wheel.ts";
import {
  headOf,
  type RelayHost,
  type RelayOrder,
  releaseBoth,
  type RunningRelay,
} from "./relay-host.ts";
import { RelayPair } from "./relay-pair.ts";

/** Relays in the process that took the players. */
export class LocalRelays implements RelayHost {
  readonly #wheel: TimerWheel;
  readonly #pairs = new Set<RelayPair>();

  constructor(wheel: TimerWheel) {
    this.#wheel = wheel;
  }

  get size(): number {
    return this.#pairs.size;
  }

  take(order: RelayOrder): RunningRelay {
    const { header, meter, backend, events } = order;
    const head = headOf(order);
    const reactor = threadReactor();
    const ends = releaseBoth(order);
    if (ends === undefined) {
      reactor.later(() => events.onClosed());
      return { destroy: () => undefined };
    }
    const onClosed = (): void => {
      this.#pairs.delete(pair);
      backend.freed();
      // The player's connection may use promises for it.
      reactor.wakeNode();
      reactor.later(() => events.onClosed());
    };
    const pair = new RelayPair(reactor, this.#wheel, {
      ...ends,
      header,
      head,
      meter,
      events: {
        onAnswered: () => events.onAnswered(),
        onSpoke: () => events.onSpoke(),
        onHungUp: () => events.onHungUp(),
        onClosed,
      },
    });
    this.#pairs.add(pair);
    pair.start();
    return pair;
  }

  stop(): void {
    for (const pair of this.#pairs) pair.destroy();
  }
}
