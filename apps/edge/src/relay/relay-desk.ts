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
 * Where fronts hear of a relay process: its own, and after that one's end the next. The last to
 * come is the one that is told, and the one that counts.
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

  /** Whether somebody is told now. */
  get hasFront(): boolean {
    return this.#front !== undefined;
  }

  async open(): Promise<void> {
    const { folder } = this.#deps;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Of a process that had this pid once.
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
