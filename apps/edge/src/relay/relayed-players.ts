import type { Socket } from "node:net";
import { BackendReader } from "#src/forwarding/backend-reader.ts";
import { Relay } from "#src/forwarding/relay.ts";
import type { TimerWheel } from "#src/session/timer-wheel.ts";
import { received } from "./handed-socket.ts";
import type { RelayMeter } from "./relay-host.ts";
import type { PairMessage, PlayerNews, RelayNews } from "./relay-messages.ts";

type PlayerMessage = Extract<PairMessage, { kind: "player" }>;

interface End {
  readonly socket: Socket;
  readonly reader: BackendReader;
}

/** A player whose backend's connection has still to come. */
interface Half {
  readonly message: PlayerMessage;
  readonly player: End | undefined;
}

interface Relayed extends PlayerNews {
  readonly relay: Relay;
}

/** The players of a relay process, from the messages that bring their connections. */
export class RelayedPlayers {
  readonly #wheel: TimerWheel;
  readonly #tell: (news: RelayNews) => void;
  readonly #halves = new Map<number, Half>();
  readonly #players = new Map<number, Relayed>();
  /** Players to be disconnected before they arrive: commands and connections come by two ways. */
  readonly #unwanted = new Set<number>();
  #lastId = 0;
  /** By shield: bytes not yet reported. */
  readonly #meters = new Map<string, RelayMeter>();

  constructor(wheel: TimerWheel, tell: (news: RelayNews) => void) {
    this.#wheel = wheel;
    this.#tell = tell;
  }

  get size(): number {
    return this.#players.size + this.#halves.size;
  }

  /** @param came undefined if the connection was gone before it could be sent */
  take(message: PairMessage, came: Socket | undefined): void {
    if (message.kind === "player") {
      // At once: the socket is already being read when it arrives, by a stream that has no
      // listener.
      this.#halves.set(message.id, { message, player: endOf(came) });
      return;
    }
    const half = this.#halves.get(message.id);
    this.#halves.delete(message.id);
    this.#lastId = message.id;
    const early = half && Buffer.from(half.message.early, "base64");
    const backend = endOf(came, early);
    const isWanted = !this.#unwanted.delete(message.id);
    if (half?.player !== undefined && backend !== undefined && isWanted) {
      this.#start(half.message, half.player, backend);
      return;
    }
    half?.player?.socket.destroy();
    backend?.socket.destroy();
    this.#tell({ kind: "closed", id: message.id });
  }

  /** The front is gone: what it has not handed over whole never comes. */
  dropHalves(): void {
    for (const { player } of this.#halves.values()) player?.socket.destroy();
    this.#halves.clear();
  }

  destroy(id: number): void {
    const player = this.#players.get(id);
    if (player !== undefined) player.relay.destroy();
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

  #start(message: PlayerMessage, player: End, backend: End): void {
    const { id, ids } = message;
    const ends = {
      player,
      backend,
      header: Buffer.from(message.header, "base64"),
      head: Buffer.from(message.head, "base64"),
      meter: this.#meterOf(ids.shield),
      events: {
        onAnswered: () => this.#tell({ kind: "answered", id }),
        onSpoke: () => this.#tell({ kind: "spoke", id }),
        onHungUp: () => this.#tell({ kind: "hung-up", id }),
      },
    };
    const relay = new Relay(ends, this.#wheel, () => {
      this.#players.delete(id);
      this.#tell({ kind: "closed", id });
    });
    this.#players.set(id, { id, ids, relay });
    relay.start();
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

function endOf(came: Socket | undefined, early?: Buffer): End | undefined {
  const reader = new BackendReader(early);
  const socket = came && received(came, reader.options);
  return socket && { socket, reader };
}
