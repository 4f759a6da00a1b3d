import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { closeDescriptor } from "@palisade/sockets/descriptors";
import { boundAddress, isListening } from "@palisade/sockets/tcp";
import { createChannelPair } from "@palisade/sockets/unix-channel";
import { connectUnix, peerPid, withSocketPath } from "@palisade/sockets/unix-listener";
import type { InternetAddress } from "@palisade/sockets/socket-address";
import type { Logger } from "#src/ports.ts";
import type { ListeningSocket, SessionCopy, SocketHolder } from "#src/workers/listening-sockets.ts";
import type { HeldSession } from "#src/bedrock/session-record.ts";
import type { Transport } from "#src/admission/watched-socket.ts";
import { threadReactor } from "@palisade/sockets/reactor";
import { HolderChannel } from "./holder-channel.ts";
import {
  addressKey,
  type FromHolder,
  type HeldAddress,
  sessionsAtOnce,
  type ToHolder,
} from "./holder-messages.ts";

/** How often a holder that is killed is looked for. */
const goneLookMs = 10;

/** @returns whether there was such a process */
function kill(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}

const program = fileURLToPath(new URL("socket-holder-main.ts", import.meta.url));
/** It does next to nothing, so it needs next to no memory. */
const nodeArgs = ["--max-semi-space-size=1", "--max-old-space-size=48", "--v8-pool-size=0"];
const socketName = "listening.sock";

/** Folder of the holder's socket, below PALISADE_HOME. */
export function holderFolder(home: string): string {
  return join(home, "run", "sockets");
}

/** Ports without an edge that accepts stay open for this long. */
const patienceMsUsually = 60_000;
/** A holder that does not answer within this time is killed. */
const answerMs = 2_000;
/** A holder that ends is followed by another after a pause that grows. */
const pauseMinMs = 250;
const pauseMaxMs = 30_000;
/** One that lived this long was sound. */
const steadyMs = 10_000;

export interface SocketHolderProcessDeps {
  readonly folder: string;
  /** Descriptor of ours whose other end the supervisor holds; undefined if none does. */
  readonly lifeline: number | undefined;
  readonly log: Logger;
  readonly patienceMs?: number;
}

/** The process that holds the edge's listening sockets, as the edge sees it. */
export class SocketHolderProcess implements SocketHolder {
  readonly #deps: SocketHolderProcessDeps;
  /** The sockets it is to have, by address. */
  readonly #kept = new Map<string, ListeningSocket>();
  #channel: HolderChannel | undefined;
  #isServing = false;
  /** The holder is of a release that keeps copies of sessions. */
  #takesCopies = false;
  #leavesCopies = false;
  #isOver = false;
  #startedAtMs = 0;
  #pauseMs = 0;
  #restart: NodeJS.Timeout | undefined;
  #adopted: ListeningSocket[] = [];
  #sessions: HeldSession[] = [];
  #onAnswer: ((hasAnswered: boolean) => void) | undefined;
  /** The holder is asked for one worker's sessions at a time. */
  #taking: Promise<unknown> = Promise.resolve();

  constructor(deps: SocketHolderProcessDeps) {
    this.#deps = deps;
  }

  async adopt(): Promise<readonly ListeningSocket[]> {
    const fd = this.#connect();
    if (fd < 0) return [];
    const pid = peerPid(fd);
    this.#open(fd);
    const hasAnswered = await this.#ask({ kind: "adopt" });
    if (!hasAnswered) await this.#end(pid);
    for (const socket of this.#adopted) this.#kept.set(addressKey(heldAddress(socket)), socket);
    return this.#adopted;
  }

  keep(socket: ListeningSocket): void {
    const address = heldAddress(socket);
    this.#kept.set(addressKey(address), socket);
    if (this.#channel === undefined && !this.#isServing) this.#reach();
    else this.#channel?.send({ kind: "keep", address }, [socket.fd]);
  }

  drop(address: InternetAddress, transport: Transport): void {
    const held = heldAddress({ address, transport });
    this.#kept.delete(addressKey(held));
    this.#channel?.send({ kind: "drop", address: held });
  }

  async keepSessions(sessions: readonly HeldSession[]): Promise<boolean> {
    for (let at = 0; at < sessions.length; at += sessionsAtOnce) {
      for (const { fd, record } of sessions.slice(at, at + sessionsAtOnce)) {
        this.#channel?.send({ kind: "keep-session", record }, [fd]);
      }
      if (!(await this.#ask({ kind: "sync" }))) return false;
    }
    return true;
  }

  copySession(copy: SessionCopy, { fd, record }: HeldSession): void {
    if (this.#takesCopies) this.#channel?.send({ kind: "copy-session", ...copy, record }, [fd]);
  }

  forgetSession(copy: SessionCopy): void {
    if (this.#takesCopies) this.#channel?.send({ kind: "forget-session", ...copy });
  }

  forgetSessionsOf(worker: number): void {
    if (this.#takesCopies) this.#channel?.send({ kind: "forget-sessions", worker });
  }

  async takeSessions(): Promise<readonly HeldSession[]> {
    const taken: HeldSession[] = [];
    for (;;) {
      const hasAnswered = await this.#ask({ kind: "take-sessions" });
      const some = this.#sessions.splice(0);
      taken.push(...some);
      if (!hasAnswered || some.length === 0) return taken;
    }
  }

  takeSessionsOf(worker: number): Promise<readonly HeldSession[]> {
    const taken = this.#taking.then(() => {
      if (!this.#leavesCopies) {
        this.forgetSessionsOf(worker);
        return [];
      }
      this.#channel?.send({ kind: "leave-sessions", worker });
      return this.takeSessions();
    });
    this.#taking = taken;
    return taken;
  }

  async serve(): Promise<void> {
    this.#isServing = true;
    if (this.#channel === undefined) this.#reach();
    await this.#ask({ kind: "serve" });
  }

  leave(): void {
    this.#finish();
    this.#channel?.close();
  }

  async end(): Promise<void> {
    this.#finish();
    const channel = this.#channel;
    if (channel === undefined) return;
    await this.#ask({ kind: "end" });
    channel.close();
  }

  #finish(): void {
    this.#isOver = true;
    clearTimeout(this.#restart);
    this.#kept.clear();
  }

  /** @returns whether an answer came: the holder may end, or hang */
  async #ask(message: ToHolder): Promise<boolean> {
    if (this.#channel === undefined) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const cap = setTimeout(() => resolve(false), answerMs);
    this.#onAnswer = resolve;
    this.#channel.send(message);
    const hasAnswered = await promise;
    clearTimeout(cap);
    return hasAnswered;
  }

  #answered(hasAnswered: boolean): void {
    this.#onAnswer?.(hasAnswered);
    threadReactor().wakeNode();
  }

  /** A holder that does not answer, or does not understand us, has the ports until it is gone. */
  async #end(pid: number): Promise<void> {
    this.#deps.log.error({ holder: pid }, "the holder of the listening sockets does not answer");
    const deadlineMs = performance.now() + answerMs;
    while (kill(pid) && performance.now() < deadlineMs) await delay(goneLookMs);
  }

  /** @returns a negated error number if no holder listens */
  #connect(): number {
    try {
      return withSocketPath(this.#deps.folder, socketName, connectUnix);
    } catch {
      // There is no such folder so far.
      return -1;
    }
  }

  /** Finds the holder, or starts one, and gives it the sockets. */
  #reach(): void {
    this.#takesCopies = this.#leavesCopies = false;
    const fd = this.#connect();
    this.#open(fd >= 0 ? fd : this.#start());
    for (const socket of this.#kept.values()) {
      this.#channel?.send({ kind: "keep", address: heldAddress(socket) }, [socket.fd]);
    }
    if (this.#isServing) this.#channel?.send({ kind: "serve" });
  }

  #open(fd: number): void {
    this.#startedAtMs = performance.now();
    const channel = new HolderChannel(threadReactor(), fd, {
      // The other end is a holder of ours, in a folder that only we can enter.
      onMessage: (message, descriptors) => this.#hear(message as FromHolder, descriptors),
      onEnd: () => this.#ended(),
    });
    this.#channel = channel;
  }

  #hear(message: FromHolder | undefined, [fd]: readonly number[]): void {
    const { kind } = message ?? {};
    if (message?.kind === "adopted") {
      this.#takesCopies = message.takesCopies === true;
      this.#leavesCopies = message.leavesCopies === true;
    }
    if (kind === "adopted" || kind === "served" || kind === "synced") this.#answered(true);
    if (fd === undefined) return;
    // A socket that is closed for new connections cannot be opened again.
    if (message?.kind === "session") {
      this.#sessions.push({ fd, record: message.record });
      return;
    }
    const isUdp = message?.kind === "socket" && message.address.transport === "udp";
    if (isUdp || (message?.kind === "socket" && isListening(fd))) {
      const transport = isUdp ? "udp" : "tcp";
      this.#adopted.push({ fd, address: boundAddress(fd), transport });
    } else closeDescriptor(fd);
  }

  #ended(): void {
    this.#channel = undefined;
    this.#answered(false);
    if (this.#isOver || !this.#isServing) return;
    const isSteady = performance.now() - this.#startedAtMs >= steadyMs;
    this.#pauseMs = isSteady ? 0 : Math.min(pauseMaxMs, Math.max(pauseMinMs, 2 * this.#pauseMs));
    this.#deps.log.error("the holder of the listening sockets has ended; another is started");
    this.#restart = setTimeout(() => {
      this.#restart = undefined;
      this.#reach();
    }, this.#pauseMs);
  }

  /** @returns our end of the channel to it */
  #start(): number {
    const { folder, lifeline, patienceMs = patienceMsUsually } = this.#deps;
    const [own, other] = createChannelPair();
    const last = lifeline === undefined ? [] : ["5"];
    const args = [...nodeArgs, program, folder, socketName, String(patienceMs), "4", ...last];
    const child: ChildProcess = spawn(process.execPath, args, {
      // A signal to the edge's process group is not for it.
      detached: true,
      stdio: ["ignore", "inherit", "inherit", "ignore", other, lifeline ?? "ignore"],
    });
    child.on("error", (error) => this.#deps.log.error({ err: error }, "no holder can be started"));
    child.unref();
    closeDescriptor(other);
    this.#takesCopies = this.#leavesCopies = true;
    return own;
  }
}

function heldAddress({
  address: { ip, port },
  transport,
}: Pick<ListeningSocket, "address" | "transport">): HeldAddress {
  return transport === "udp" ? { ip, port, transport } : { ip, port };
}
