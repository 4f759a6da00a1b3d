import { closeDescriptor } from "@palisade/sockets/descriptors";
import type { Descriptors } from "#src/reactor/reactor.ts";
import type { TimerWheel } from "#src/reactor/timer-wheel.ts";
import type { BandwidthShares } from "./bandwidth-share.ts";
import {
  firstAnswerOf,
  type EndDescriptors,
  PlayerTable,
  type RelayEvents,
  type RelayMeter,
} from "./relay-host.ts";
import type { HandedPlayer } from "./player-channel.ts";
import type { PlayerEvent, RelayedPlayerState, RelayMessage } from "./control-channel.ts";
import { RelayPair } from "./relay-pair.ts";

type Tell = (event: PlayerEvent, id: number) => void;

/** One player, whose events are told by their id. */
class RelayedPlayer implements RelayEvents, RelayedPlayerState {
  readonly id: number;
  readonly ids: RelayedPlayerState["ids"];
  readonly #tell: Tell;
  readonly #all: PlayerTable<RelayedPlayer>;
  readonly #shares: BandwidthShares;
  #pair: RelayPair | undefined;

  constructor(
    { id, ids }: RelayedPlayerState,
    tell: Tell,
    all: PlayerTable<RelayedPlayer>,
    shares: BandwidthShares,
  ) {
    this.id = id;
    this.ids = ids;
    this.#tell = tell;
    this.#all = all;
    this.#shares = shares;
  }

  relay(pair: RelayPair): void {
    this.#pair = pair;
    pair.start();
  }

  destroy(): void {
    this.#pair?.destroy();
  }

  onAnswered(): void {
    this.#tell("answered", this.id);
  }

  onSpoke(): void {
    this.#tell("spoke", this.id);
  }

  onHungUp(): void {
    this.#tell("hung-up", this.id);
  }

  onClosed(): void {
    this.#all.remove(this.id);
    this.#shares.leave(this.ids.shield);
    this.#tell("closed", this.id);
  }
}

/** The players of a relay process, from the messages that bring their connections. */
export class RelayedPlayers {
  readonly #reactor: Descriptors;
  readonly #wheel: TimerWheel;
  readonly #tell: Tell;
  readonly #players = new PlayerTable<RelayedPlayer>();
  /** Players to be disconnected before they arrive: commands and connections come by two ways. */
  readonly #unwanted = new Set<number>();
  #lastId = 0;
  readonly #shares: BandwidthShares;
  /** By shield: bytes not yet reported. */
  readonly #meters = new Map<string, RelayMeter>();

  constructor(reactor: Descriptors, wheel: TimerWheel, shares: BandwidthShares, tell: Tell) {
    this.#reactor = reactor;
    this.#wheel = wheel;
    this.#shares = shares;
    this.#tell = tell;
  }

  get size(): number {
    return this.#players.size;
  }

  /** @param ends undefined if this process could not open them */
  take(handed: HandedPlayer, ends: EndDescriptors | undefined): void {
    const { id, ids } = handed;
    this.#lastId = id;
    if (ends === undefined || this.#unwanted.delete(id)) {
      if (ends !== undefined) for (const fd of [ends.player, ends.backend]) closeDescriptor(fd);
      this.#tell("closed", id);
      return;
    }
    const player = new RelayedPlayer(handed, this.#tell, this.#players, this.#shares);
    this.#players.add(id, player);
    player.relay(
      new RelayPair(this.#reactor, this.#wheel, {
        ...ends,
        header: handed.header,
        head: handed.head,
        meter: this.#meterOf(ids.shield),
        share: this.#shares.enter(ids.shield, handed.rate),
        firstAnswer: firstAnswerOf(ids.isUnparsed, handed.head),
        events: player,
      }),
    );
  }

  destroy(id: number): void {
    const player = this.#players.get(id);
    if (player !== undefined) player.destroy();
    else if (id > this.#lastId) this.#unwanted.add(id);
  }

  list(): RelayedPlayerState[] {
    return [...this.#players].map(({ id, ids }) => ({ id, ids }));
  }

  /** Takes the counters away. */
  drain(): Extract<RelayMessage, { kind: "moved" }> {
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
