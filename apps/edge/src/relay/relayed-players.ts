import { closeDescriptor } from "@palisade/sockets/descriptors";
import type { Descriptors } from "#src/reactor/reactor.ts";
import type { TimerWheel } from "#src/reactor/timer-wheel.ts";
import type { BandwidthShares } from "./bandwidth-share.ts";
import {
  firstAnswerOf,
  type EndDescriptors,
  PlayerTable,
  type RelayEvents,
  type RelayIds,
  type RelayMeter,
} from "./relay-host.ts";
import type { HandedPlayer } from "./player-channel.ts";
import type { PlayerEvent, RelayedPlayerState, RelayMessage } from "./control-channel.ts";
import { RelayPair } from "./relay-pair.ts";

type Tell = (event: PlayerEvent, id: number) => void;

/** The part that players of one backend share; one object for all of them. */
type Target = Omit<RelayIds, "source">;

/** The process's part of a player's events. */
interface PlayerHost {
  tell(event: PlayerEvent, id: number): void;
  left(player: RelayedPlayer): void;
}

/** One player, whose events are told by their id. */
class RelayedPlayer implements RelayEvents {
  readonly id: number;
  readonly target: Target;
  readonly source: string;
  readonly #host: PlayerHost;
  /** Once it is relayed. */
  pair: RelayPair | undefined = undefined;

  constructor(id: number, target: Target, source: string, host: PlayerHost) {
    this.id = id;
    this.target = target;
    this.source = source;
    this.#host = host;
  }

  onAnswered(): void {
    this.#host.tell("answered", this.id);
  }

  onSpoke(): void {
    this.#host.tell("spoke", this.id);
  }

  onHungUp(): void {
    this.#host.tell("hung-up", this.id);
  }

  onClosed(): void {
    this.#host.left(this);
  }
}

/** The players of a relay process, from the messages that bring their connections. */
export class RelayedPlayers implements PlayerHost {
  readonly #reactor: Descriptors;
  readonly #wheel: TimerWheel;
  readonly tell: Tell;
  readonly #players = new PlayerTable<RelayedPlayer>();
  /** Players to be disconnected before they arrive: commands and connections come by two ways. */
  readonly #unwanted = new Set<number>();
  #lastId = 0;
  readonly #shares: BandwidthShares;
  /** By shield: bytes not yet reported. */
  readonly #meters = new Map<string, RelayMeter>();
  /** By what they say. */
  readonly #targets = new Map<string, Target>();

  constructor(reactor: Descriptors, wheel: TimerWheel, shares: BandwidthShares, tell: Tell) {
    this.#reactor = reactor;
    this.#wheel = wheel;
    this.#shares = shares;
    this.tell = tell;
  }

  get size(): number {
    return this.#players.size;
  }

  /** @param ends undefined if this process could not open them */
  take(handed: HandedPlayer, ends: EndDescriptors | undefined): void {
    const { id } = handed;
    this.#lastId = id;
    if (ends === undefined || this.#unwanted.delete(id)) {
      if (ends !== undefined) for (const fd of [ends.player, ends.backend]) closeDescriptor(fd);
      this.tell("closed", id);
      return;
    }
    const target = this.#targetOf(handed.ids);
    const { shield, isUnparsed } = target;
    const player = new RelayedPlayer(id, target, handed.ids.source, this);
    this.#players.add(id, player);
    player.pair = new RelayPair(this.#reactor, this.#wheel, {
      ...ends,
      meter: this.#meterOf(shield),
      share: this.#shares.enter(shield, handed.rate),
      firstAnswer: firstAnswerOf(isUnparsed, handed.head),
      events: player,
    });
    player.pair.start(handed.header, handed.head);
  }

  left({ id, target }: RelayedPlayer): void {
    this.#players.remove(id);
    this.#shares.leave(target.shield);
    this.tell("closed", id);
  }

  destroy(id: number): void {
    const player = this.#players.get(id);
    if (player !== undefined) player.pair?.destroy();
    else if (id > this.#lastId) this.#unwanted.add(id);
  }

  list(): RelayedPlayerState[] {
    return [...this.#players].map(({ id, target, source }) => ({
      id,
      ids: { ...target, source },
    }));
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
    if (this.size === 0) {
      this.#meters.clear();
      this.#targets.clear();
    }
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

  #targetOf({ shield, backend, isUnparsed }: RelayIds): Target {
    const key = JSON.stringify([shield, backend, isUnparsed]);
    let target = this.#targets.get(key);
    if (target === undefined) {
      target = { shield, backend, isUnparsed };
      this.#targets.set(key, target);
    }
    return target;
  }
}
