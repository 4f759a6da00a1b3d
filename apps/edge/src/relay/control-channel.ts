import { mkdirSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { withSocketPath } from "@palisade/sockets/unix-listener";
import type { ShareRate } from "./bandwidth-share.ts";
import type { RelayIds, RelayMeter } from "./relay-host.ts";

/** Folder of the relay processes' sockets, below PALISADE_HOME. */
export function relayFolder(home: string): string {
  return join(home, "run", "relays");
}

export const socketSuffix = ".sock";

/** Name of a relay process's socket. */
export function socketName(pid: number): string {
  return `${pid}${socketSuffix}`;
}

/**
 * Raised with every change of these messages: an edge also finds relay processes of the release
 * before, and starts ones of the next once its files are installed.
 */
export const relayProtocol = 3;

/** An edge understands the news of these, so it can adopt their players. */
export const adoptedProtocols: readonly number[] = [1, 2, 3];

/** Checks, one a second, of a silent relay process until it counts as hung. */
export const hungTicks = 30;

export interface RelayedPlayerState {
  readonly id: number;
  readonly ids: RelayIds;
}

/** In the order in which they happen to a player; see `RelayEvents`. */
export type PlayerEvent = "answered" | "spoke" | "hung-up" | "closed";

export type PlayerEvents = Partial<Readonly<Record<PlayerEvent, readonly number[]>>>;

/** Messages of a relay process to the connected edge, one line of JSON each. */
export type RelayMessage =
  /** The first message: the players it relays now. */
  | {
      readonly kind: "hello";
      readonly protocol: number;
      readonly players: readonly RelayedPlayerState[];
    }
  /** The ids of players, by what has happened to them. */
  | { readonly kind: "players"; readonly events: PlayerEvents }
  /** The same for one player, of protocols 1 and 2. */
  | { readonly kind: PlayerEvent; readonly id: number }
  /**
   * At least twice a second. Since the last message, to whichever edge: shield, bytes up, bytes
   * down.
   */
  | { readonly kind: "moved"; readonly moved: readonly (readonly [string, number, number])[] };

/** Adds the bytes of a message to the counters of their shields. */
export function addMoved(
  { moved }: Extract<RelayMessage, { kind: "moved" }>,
  meterOf: (shield: string) => RelayMeter,
): void {
  for (const [shield, up, down] of moved) {
    const meter = meterOf(shield);
    meter.bytesUp += up;
    meter.bytesDown += down;
  }
}

/** Messages to the relay process. */
export type RelayCommand =
  | { readonly kind: "destroy"; readonly id: number }
  /**
   * Bandwidth of shields, for the players of this process. A process of an earlier release ignores it,
   * and one that is never told limits nothing: so it needs no other number of the protocol.
   */
  | { readonly kind: "shares"; readonly rates: readonly ShareRate[] }
  /** Disconnects every player and ends the process. */
  | { readonly kind: "end" };

/** A message of the other end that cannot be read, or must not be accepted. */
export class NotUnderstood extends Error {}

/**
 * Calls back with every line of JSON that comes. Both ends are programs of ours, but they may be of
 * different releases: what cannot be taken ends the connection, and nothing else.
 */
export function onLines(socket: Socket, take: (line: unknown) => void): void {
  /** Length limit of an unfinished line: one may be of many megabytes. */
  let pieces: string[] = [];
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    const [first = "", ...more] = chunk.split("\n");
    pieces.push(first);
    try {
      for (const piece of more) {
        take(JSON.parse(pieces.join("")));
        pieces = [piece];
      }
    } catch (cause) {
      socket.destroy(new NotUnderstood("a line was not understood", { cause }));
    }
  });
}

export function sendLines(socket: Socket, lines: readonly (RelayMessage | RelayCommand)[]): void {
  if (!socket.writable) return;
  socket.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

export interface ControlServerDeps {
  readonly folder: string;
  readonly players: () => readonly RelayedPlayerState[];
  /** Takes the bytes that were moved since the last call. */
  readonly moved: () => RelayMessage;
  readonly onCommand: (command: RelayCommand) => void;
}

/** News of this time go out together: for every player who comes and goes there are several. */
const gatherMs = 10;

/**
 * The socket on which edges connect to a relay process: its own edge, and after that one's end
 * the next. The last edge to connect gets the reports and counts the players.
 */
export class ControlServer {
  readonly #deps: ControlServerDeps;
  readonly #server: Server;
  readonly #name = socketName(process.pid);
  #edge: Socket | undefined;
  #events = noEvents();
  #gathering: NodeJS.Timeout | undefined;

  constructor(deps: ControlServerDeps) {
    this.#deps = deps;
    this.#server = createServer((edge) => this.#welcome(edge));
  }

  async open(): Promise<void> {
    const { folder } = this.#deps;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Left by a process that once had this pid.
    rmSync(join(folder, this.#name), { force: true });
    const opened = Promise.withResolvers<void>();
    this.#server.once("error", opened.reject).once("listening", opened.resolve);
    withSocketPath(folder, this.#name, (path) => this.#server.listen(path));
    await opened.promise;
  }

  close(): void {
    this.#server.close();
    rmSync(join(this.#deps.folder, this.#name), { force: true });
  }

  /** Goes out soon, if an edge is connected. */
  tell(event: PlayerEvent, id: number): void {
    if (this.#edge === undefined) return;
    this.#events[event].push(id);
    this.#gathering ??= setTimeout(() => this.report(), gatherMs);
  }

  /**
   * Sends all news, once events of sockets are handled that came before: the end of an edge that is
   * gone by now may be among them, and bytes sent to it would not be counted.
   */
  report(): void {
    setImmediate(() => this.flush());
  }

  /** Sends now the bytes that were moved, then the players' events: bytes count for players who are there. */
  flush(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    if (this.#edge === undefined) return;
    const events = this.#events;
    this.#events = noEvents();
    sendLines(this.#edge, [this.#deps.moved(), { kind: "players", events }]);
  }

  #welcome(edge: Socket): void {
    // The next edge knows no player of news that the last one has not got.
    this.#events = noEvents();
    this.#edge?.destroy();
    this.#edge = edge;
    edge.on("error", () => undefined);
    const leave = (): void => {
      if (this.#edge === edge) this.#edge = undefined;
    };
    edge.once("end", leave).once("close", leave);
    // The other end is an edge of ours, in a folder that only we can enter.
    onLines(edge, (line) => this.#deps.onCommand(line as RelayCommand));
    const players = this.#deps.players();
    sendLines(edge, [{ kind: "hello", protocol: relayProtocol, players }]);
  }
}

function noEvents(): Record<PlayerEvent, number[]> {
  return { answered: [], spoke: [], "hung-up": [], closed: [] };
}

export interface ControlClientEvents {
  /** Versions of `relayProtocol` that are understood. */
  readonly protocols: readonly number[];
  readonly onMessage: (message: RelayMessage) => void;
  /**
   * The relay process is gone, listens to another edge, or is not understood (`NotUnderstood`).
   * Once, also where it was never there.
   */
  readonly onEnd: (error: Error | undefined) => void;
}

/** A process that hangs does not answer the end of its connection. */
const closeMs = 1_000;

/** An edge's line to one relay process. */
export class ControlClient {
  readonly pid: number;
  readonly #socket: Socket;
  /** Checks since something was received. */
  silentLooks = 0;

  constructor(folder: string, pid: number, { protocols, onMessage, onEnd }: ControlClientEvents) {
    this.pid = pid;
    this.#socket = withSocketPath(folder, socketName(pid), (path) => connect({ path }));
    let failure: Error | undefined;
    this.#socket.on("error", (error) => (failure = error)).once("close", () => onEnd(failure));
    onLines(this.#socket, (line) => {
      // The other end is a relay process of ours, in a folder that only we can enter.
      const message = line as RelayMessage;
      if (message.kind === "hello" && !protocols.includes(message.protocol)) {
        throw new Error(`it speaks protocol ${message.protocol}, not ${protocols.join(" or ")}`);
      }
      this.silentLooks = 0;
      onMessage(message);
    });
  }

  send(command: RelayCommand): void {
    sendLines(this.#socket, [command]);
  }

  /** Ends a process that does not listen. It is there, since it has this connection open. */
  kill(): void {
    if (this.#socket.readyState !== "open") return;
    try {
      process.kill(this.pid, "SIGKILL");
    } catch {
      // It has just ended.
    }
  }

  /**
   * Leaves the process to itself. Resolves once it has all commands and all its reports are here, or
   * after a second: bytes that it has not reported are for the next edge.
   */
  async close(): Promise<void> {
    if (this.#socket.closed) return;
    const cap = setTimeout(() => this.#socket.destroy(), closeMs);
    this.#socket.end();
    await new Promise((resolve) => this.#socket.once("close", resolve));
    clearTimeout(cap);
  }
}
