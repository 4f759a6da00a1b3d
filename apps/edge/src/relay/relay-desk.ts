import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createServer, type Server, type Socket } from "node:net";
import {
  onLines,
  type PlayerNews,
  type RelayCommand,
  type RelayNews,
  relayProtocol,
  sendLine,
} from "./relay-messages.ts";
import { socketName, withSocketPath } from "./relay-socket.ts";

export interface RelayDeskDeps {
  readonly folder: string;
  readonly players: () => readonly PlayerNews[];
  readonly onCommand: (command: RelayCommand) => void;
}

/**
 * The socket on which fronts connect to a relay process: its own front, and after that one's end
 * the next. The last front to connect gets the reports and counts the players.
 */
export class RelayDesk {
  readonly #deps: RelayDeskDeps;
  readonly #server: Server;
  readonly #name = socketName(process.pid);
  #front: Socket | undefined;

  constructor(deps: RelayDeskDeps) {
    this.#deps = deps;
    this.#server = createServer((front) => this.#welcome(front));
  }

  /** Whether a front is connected. */
  get hasFront(): boolean {
    return this.#front !== undefined;
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

  tell(news: RelayNews): void {
    if (this.#front !== undefined) sendLine(this.#front, news);
  }

  #welcome(front: Socket): void {
    this.#front?.destroy();
    this.#front = front;
    front.on("error", () => undefined);
    front.once("close", () => {
      if (this.#front === front) this.#front = undefined;
    });
    // The other end is a front of ours, in a folder that only we can enter.
    onLines(front, (line) => this.#deps.onCommand(line as RelayCommand));
    const players = this.#deps.players();
    sendLine(front, { kind: "hello", protocol: relayProtocol, players });
  }
}
