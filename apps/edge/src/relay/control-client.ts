import { connect, type Socket } from "node:net";
import { onLines, type RelayCommand, type RelayMessage, sendLines } from "./relay-messages.ts";
import { socketName, withSocketPath } from "./relay-socket.ts";

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

  /** Leaves the process to itself, once what was sent to it is out. */
  close(): void {
    this.#socket.destroySoon();
  }
}
