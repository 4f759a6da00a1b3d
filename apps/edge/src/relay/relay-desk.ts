import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createServer, type Server, type Socket } from "node:net";
import {
  onLines,
  type PlayerEvent,
  type PlayerNews,
  type RelayCommand,
  type RelayNews,
  relayProtocol,
  sendLines,
} from "./relay-messages.ts";
import { socketName, withSocketPath } from "./relay-socket.ts";

export interface RelayDeskDeps {
  readonly folder: string;
  readonly players: () => readonly PlayerNews[];
  /** Takes the bytes that were moved since the last call. */
  readonly moved: () => RelayNews;
  readonly onCommand: (command: RelayCommand) => void;
}

/** News of this time go out together: for every player who comes and goes there are several. */
const gatherMs = 10;

/**
 * The socket on which fronts connect to a relay process: its own front, and after that one's end
 * the next. The last front to connect gets the reports and counts the players.
 */
export class RelayDesk {
  readonly #deps: RelayDeskDeps;
  readonly #server: Server;
  readonly #name = socketName(process.pid);
  #front: Socket | undefined;
  #events = noEvents();
  #gathering: NodeJS.Timeout | undefined;

  constructor(deps: RelayDeskDeps) {
    this.#deps = deps;
    this.#server = createServer((front) => this.#welcome(front));
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

  /** Goes out soon, if a front is connected. */
  tell(event: PlayerEvent, id: number): void {
    if (this.#front === undefined) return;
    this.#events[event].push(id);
    this.#gathering ??= setTimeout(() => this.report(), gatherMs);
  }

  /**
   * Sends all news, once events of sockets are handled that came before: the end of a front that is
   * gone by now may be among them, and bytes sent to it would not be counted.
   */
  report(): void {
    setImmediate(() => this.flush());
  }

  /** Sends now the bytes that were moved, then the players' events: bytes count for players who are there. */
  flush(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    if (this.#front === undefined) return;
    const events = this.#events;
    this.#events = noEvents();
    sendLines(this.#front, [this.#deps.moved(), { kind: "players", events }]);
  }

  #welcome(front: Socket): void {
    // The next front knows no player of news that the last one has not got.
    this.#events = noEvents();
    this.#front?.destroy();
    this.#front = front;
    front.on("error", () => undefined);
    const leave = (): void => {
      if (this.#front === front) this.#front = undefined;
    };
    front.once("end", leave).once("close", leave);
    // The other end is a front of ours, in a folder that only we can enter.
    onLines(front, (line) => this.#deps.onCommand(line as RelayCommand));
    const players = this.#deps.players();
    sendLines(front, [{ kind: "hello", protocol: relayProtocol, players }]);
  }
}

function noEvents(): Record<PlayerEvent, number[]> {
  return { answered: [], spoke: [], "hung-up": [], closed: [] };
}
