import { closeDescriptor } from "@palisade/sockets/descriptors";
import type { Descriptors } from "#src/reactor/reactor.ts";
import type { TimerWheel } from "#src/reactor/timer-wheel.ts";
import type { RelayMeter } from "./relay-host.ts";
import type { PlayerMessage, PlayerNews, RelayNews } from "./relay-messages.ts";
import { RelayPair } from "./relay-pair.ts";

interface Relayed extends PlayerNews {
  readonly pair: RelayPair;
}

/** The players of a relay process, from the messages that bring their connections. */
export class RelayedPlayers {
  readonly #reactor: Descriptors;
  readonly #wheel: TimerWheel;
  readonly #tell: (news: RelayNews) => void;
  readonly #players = new Map<number, Relayed>();
  /** Players to be disconnected before they arrive: commands and connections come by two ways. */
  readonly #unwanted = new Set<number>();
  #lastId = 0;
  /** By shield: bytes not yet reported. */
  readonly #meters = new Map<string, RelayMeter>();

  constructor(reactor: Descriptors, wheel: TimerWheel, tell: (news: RelayNews) => void) {
    this.#reactor = reactor;
    this.#wheel = wheel;
    this.#tell = tell;
  }

  get size(): number {
    return this.#players.size;
  }

  /** @param descriptors of player and backend; fewer if this process could not open more */
  take(message: PlayerMessage, descriptors: readonly number[]): void {
    const { id, ids, header, head } = message;
    this.#lastId = id;
    const [player, backend] = descriptors;
    if (player === undefined || backend === undefined || this.#unwanted.delete(id)) {
      for (const fd of descriptors) closeDescriptor(fd);
      this.#tell({ kind: "closed", id });
      return;
    }
    const pair = new RelayPair(this.#reactor, this.#wheel, {
      player,
      backend,
      header,
      head,
      meter: this.#meterOf(ids.shield),
      events: {
        onAnswered: () => this.#tell({ kind: "answered", id }),
        onSpoke: () => this.#tell({ kind: "spoke", id }),
        onHungUp: () => this.#tell({ kind: "hung-up", id }),
        onClosed: () => {
          this.#players.delete(id);
          this.#tell({ kind: "closed", id });
        },
      },
    });
    this.#players.set(id, { id, ids, pair });
    pair.start();
  }

  destroy(id: number): void {
    const player = this.#players.get(id);
    if (player !== undefined) player.pair.destroy();
    else if (id > this.#lastId) this.#unwanted.add(id);
  }

  list(): PlayerNews[] {
    return [...this.#players.values()].map(({ id, ids }) => ({ id, ids }));
  }

  /** Takes the counters away. */
  drain(): Extract<RelayNews, { kind: "moved" }> {
    const moved: [string, number, number][] = [];
    for (const [shield, meter] of this.#meters) {
      if (meter.bytesUp + meter.bytesDown > 0) {
        moved.push([shield, meter.bytesUp, meter.bytesDown]);
      }
      meter.bytesUp = meter.bytesDown = 0;
    }
    if (this.size === 0) this.#meters.clear();
    return { kind: "moved", moved };
  }

  get hasUntold(): boolean {
    for (const { bytesUp, bytesDown } of this.#meters.values()) {
      if (bytesUp + bytesDown > 0) return true;
    }
    return false;
  }

  #meterOf(shield: string): RelayMeter {
    let meter = this.#meters.get(shield);
    if (meter === undefined) {
      meter = { bytesUp: 0, bytesDown: 0 };
      this.#meters.set(shield, meter);
    }
    return meter;
  }
}
