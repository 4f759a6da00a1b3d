import { connect, type Socket } from "node:net";
import { onLines, type RelayCommand, type RelayNews, sendLine } from "./relay-messages.ts";
import { withSocketPath } from "./relay-socket.ts";

export interface RelayLinkEvents {
  readonly onNews: (news: RelayNews) => void;
  /** The relay process is gone, or listens to another front. Once, also where it was never there. */
  readonly onEnd: () => void;
}

/** A front's line to one relay process. */
export class RelayLink {
  readonly #socket: Socket;

  /** @param name of its socket in the folder */
  constructor(folder: string, name: string, { onNews, onEnd }: RelayLinkEvents) {
    this.#socket = withSocketPath(folder, name, (path) => connect({ path }));
    this.#socket.on("error", () => undefined).once("close", onEnd);
    // The other end is a relay process of ours, in a folder that only we can enter.
    onLines(this.#socket, (line) => onNews(line as RelayNews));
  }

  send(command: RelayCommand): void {
    sendLine(this.#socket, command);
  }

  /** Leaves the process to itself, once what was sent to it is out. */
  close(): void {
    this.#socket.destroySoon();
  }
}
