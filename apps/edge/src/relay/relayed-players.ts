import type { Socket } from "node:net";
import { BackendReader } from "#src/forwarding/backend-reader.ts";
import { Relay } from "#src/forwarding/relay.ts";
import type { TimerWheel } from "#src/session/timer-wheel.ts";
import { received } from "./handed-socket.ts";
import type { RelayMeter } from "./relay-host.ts";
import type { PairMessage, PlayerNews, RelayNews } from "./relay-messages.ts";

type PlayerMessage = Extract<PairMessage, { kind: "player" }>;

/** A player whose backend's connection has still to come. */
interface Half {
  readonly message: PlayerMessage;
  readonly socket: Socket | undefined;
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
  /** By shield: bytes nobody was told of so far. */
  readonly #meters = new Map<string, RelayMeter>();

  constructor(wheel: TimerWheel, tell: (news: RelayNews) => void) {
    this.#wheel = wheel;
    this.#tell = tell;
  }

  get size(): number {
    return this.#players.size + this.#halves.size;
  }

  /** @param socket undefined where the connection was gone before it could be sent */
  take(message: PairMessage, socket: Socket | undefined): void {
    if (message.kind === "player") {
      this.#halves.set(message.id, { message, socket });
      return;
    }
    const half = this.#halves.get(message.id);
    this.#halves.delete(message.id);
    if (half?.socket !== undefined && socket !== undefined) {
      this.#start(half.message, half.socket, socket);
      return;
    }
    half?.socket?.destroy();
    socket?.destroy();
    this.#tell({ kind: "closed", id: message.id });
  }

  /** The front is gone: what it has not handed over whole never comes. */
  dropHalves(): void {
    for (const { socket } of this.#halves.values()) socket?.destroy();
    this.#halves.clear();
  }

  destroy(id: number): void {
    this.#players.get(id)?.relay.destroy();
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

  #start(message: PlayerMessage, playerCame: Socket, backendCame: Socket): void {
    const { id, ids } = message;
    const playerReader = new BackendReader();
    const backendReader = new BackendReader(Buffer.from(message.early, "base64"));
    const player = received(playerCame, playerReader.options);
    const backend = received(backendCame, backendReader.options);
    if (player === undefined || backend === undefined) {
      player?.destroy();
      backend?.destroy();
      this.#tell({ kind: "closed", id });
      return;
    }
    const ends = {
      player: { socket: player, reader: playerReader },
      backend: { socket: backend, reader: backendReader },
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
