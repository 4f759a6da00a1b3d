import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createServer, type Server, type Socket } from "node:net";
import {
  onLines,
  type PlayerEvent,
  type RelayedPlayerState,
  type RelayCommand,
  type RelayMessage,
  relayProtocol,
  sendLines,
} from "./relay-messages.ts";
import { socketName, withSocketPath } from "./relay-socket.ts";

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
