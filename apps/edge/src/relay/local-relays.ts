import { threadReactor } from "@palisade/sockets/reactor";
import type { TimerWheel } from "@palisade/sockets/timer-wheel";
import { BandwidthShares, ProcessShares, type RateOf, type ShareRate } from "./bandwidth-share.ts";
import {
  firstAnswerOf,
  headOf,
  PlayerTable,
  type RelayHost,
  type RelayOrder,
  releaseBoth,
  type RunningRelay,
} from "./relay-host.ts";
import { RelayPair } from "./relay-pair.ts";

/** Relays in the process that took the players. */
export class LocalRelays implements RelayHost {
  readonly #wheel: TimerWheel;
  readonly #pairs = new PlayerTable<RelayPair>();
  #lastId = 0;
  readonly #shares = new BandwidthShares(() => performance.now());
  readonly #players = new ProcessShares();
  readonly #rateOf: RateOf;

  constructor(wheel: TimerWheel, rateOf: RateOf = () => undefined) {
    this.#wheel = wheel;
    this.#rateOf = rateOf;
  }

  get size(): number {
    return this.#pairs.size;
  }

  take(order: RelayOrder): RunningRelay {
    const { header, meter, backend, events, ids } = order;
    const head = headOf(order);
    const reactor = threadReactor();
    const ends = releaseBoth(order);
    if (ends === undefined) {
      reactor.later(() => events.onClosed());
      return { destroy: () => undefined };
    }
    const id = ++this.#lastId;
    const onClosed = (): void => {
      this.#pairs.remove(id);
      this.#players.left(ids.shield);
      this.#shares.leave(ids.shield);
      backend.freed();
      // The player's connection may use promises for it.
      reactor.wakeNode();
      reactor.later(() => events.onClosed());
    };
    if (this.#players.entered(ids.shield)) {
      this.#limit(this.#players.changesOf(ids.shield, this.#rateOf));
    }
    const pair = new RelayPair(reactor, this.#wheel, {
      ...ends,
      meter,
      share: this.#shares.enter(ids.shield),
      firstAnswer: firstAnswerOf(ids.isUnparsed, head),
      events: {
        onAnswered: () => events.onAnswered(),
        onSpoke: () => events.onSpoke(),
        onHungUp: () => events.onHungUp(),
        onClosed,
      },
    });
    this.#pairs.add(id, pair);
    pair.start(header, head);
    return pair;
  }

  /** Once a second. */
  tick(): void {
    this.#limit(this.#players.changes(this.#rateOf));
  }

  stop(): void {
    for (const pair of this.#pairs) pair.destroy();
  }

  #limit(rates: readonly ShareRate[]): void {
    for (const [shield, rate] of rates) this.#shares.limit(shield, rate);
  }
}
