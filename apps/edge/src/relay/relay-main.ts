import { Socket } from "node:net";
import { getPriority, setPriority } from "node:os";
import { closeDescriptor } from "@palisade/sockets/descriptors";
import { type Descriptors, threadReactor, turnClock } from "@palisade/sockets/reactor";
import { TimerWheel } from "@palisade/sockets/timer-wheel";
import { BandwidthShares } from "./bandwidth-share.ts";
import {
  ControlServer,
  type PlayerEvent,
  type RelayedPlayerState,
  type RelayMessage,
} from "./control-channel.ts";
import { type HandedPlayer, PlayerIntake } from "./player-channel.ts";
import { ProcessorTurns } from "./processor-turns.ts";
import {
  type EndDescriptors,
  firstAnswerOf,
  PlayerTable,
  type RelayEvents,
  type RelayIds,
  type RelayMeter,
} from "./relay-host.ts";
import { RelayPair } from "./relay-pair.ts";

/**
 * A relay process: `relay-main.ts <folder> <channel> [lifeline]`. It takes admitted players from the
 * edge that started it, and keeps them when that edge is gone; it ends once they have left. Both
 * others are descriptors: players come by `channel`, and the supervisor holds the other end of
 * `lifeline`, whose end is ours, however it came.
 */

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
class RelayedPlayers implements PlayerHost {
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
  /** By shield. */
  readonly #targets = new Map<string, Target[]>();

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
    const known = this.#targets.get(shield) ?? [];
    if (known.length === 0) this.#targets.set(shield, known);
    let target = known.find((one) => one.backend === backend && one.isUnparsed === isUnparsed);
    if (target === undefined) known.push((target = { shield, backend, isUnparsed }));
    return target;
  }
}

/** How often bytes are reported, even if there are none: a silent process counts as hung. */
const tellMs = 500;
/** Bytes of players who have left wait this long for an edge that counts them. */
const untoldMs = 30_000;

const [folder = "", channel = "", lifeline] = process.argv.slice(2);
process.title = "palisade-relay";

const reactor = threadReactor();
const nowMs = turnClock(() => performance.now());
const wheel = new TimerWheel(nowMs);
const shares = new BandwidthShares(nowMs);
let leftAloneAtMs: number | undefined;

const controlServer = new ControlServer({
  folder,
  players: () => players.list(),
  moved: () => players.drain(),
  onCommand: (command) => {
    if (command.kind === "end") {
      controlServer.flush();
      end();
    } else if (command.kind === "destroy") players.destroy(command.id);
    else if (command.kind === "shares") {
      for (const [shield, bytesPerSecond] of command.rates) shares.limit(shield, bytesPerSecond);
    }
  },
});

const players = new RelayedPlayers(reactor, wheel, shares, (event, id) =>
  controlServer.tell(event, id),
);

function end(): void {
  controlServer.close();
  process.exit();
}

function endWhenEmpty(): void {
  if (leftAloneAtMs === undefined || players.size > 0) return;
  const isPatient = performance.now() - leftAloneAtMs < untoldMs;
  if (!players.hasUntold || !isPatient) end();
}

function holdLifeline(descriptor: number): void {
  const held = new Socket({ fd: descriptor });
  held.on("error", () => undefined).on("close", end);
  held.resume();
}

void new PlayerIntake(reactor, Number(channel), {
  onPlayer: (player, ends) => players.take(player, ends),
  onEnd: () => (leftAloneAtMs = performance.now()),
});
// From a terminal it reaches the edge as well, which knows what is to be done.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", end);

if (lifeline !== undefined) holdLifeline(Number(lifeline));
try {
  // The edge runs at a lower priority, so that a flood takes no time from players.
  setPriority(0);
} catch {
  // Started by an edge that is below already, without the right to rise: equal then.
  const msg = `a relay process stays at nice ${getPriority()}, with the front: set LimitNICE=20`;
  process.stderr.write(
    `${JSON.stringify({ level: 40, time: Date.now(), program: "edge", msg })}\n`,
  );
}
const turns = new ProcessorTurns();
wheel.run();
setInterval(() => {
  turns.check();
  controlServer.report();
  endWhenEmpty();
}, tellMs);
await controlServer.open();
// The channel reports an edge that is gone by now.
process.send?.({ kind: "relay-ready" }, () => undefined);
