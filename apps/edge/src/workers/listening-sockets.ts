import type { HeldSession } from "#src/bedrock/session-record.ts";
import type { Transport } from "#src/admission/watched-socket.ts";
import { closeDescriptor } from "@palisade/sockets/descriptors";
import { errno, SystemCallError } from "@palisade/sockets/errno";
import { type InternetAddress, SocketAddresses } from "@palisade/sockets/socket-address";
import { boundAddress, listenTcp, shutDown } from "@palisade/sockets/tcp";
import { bindUdp } from "@palisade/sockets/udp-socket";

/** Connections the kernel holds until they are accepted; it cuts this at its own limit. */
const backlog = 4_096;

/** A socket on which every thread of this edge accepts, and its successor beside it. */
export interface ListeningSocket {
  readonly fd: number;
  readonly address: InternetAddress;
  readonly transport: Transport;
}

/** Datagrams that wait while the thread of a Bedrock port is busy, or hands it over. */
const udpBufferBytes = 4 * 1_024 * 1_024;

/** Names a copy of a session, within one edge. */
export interface SessionCopy {
  readonly worker: number;
  readonly id: number;
}

/** Holds duplicates of the sockets for the next edge. */
export interface SocketHolder {
  /** The sockets of the edge before, which belong to the caller from now on. */
  adopt(): Promise<readonly ListeningSocket[]>;
  keep(socket: ListeningSocket): void;
  drop(address: InternetAddress, transport: Transport): void;
  /**
   * Keeps sessions for the next edge; their descriptors stay the caller's.
   *
   * @returns whether the next edge will find them
   */
  keepSessions(sessions: readonly HeldSession[]): Promise<boolean>;
  /**
   * Keeps a session for the next edge should this one be killed; the descriptor stays the caller's. Some
   * holders cannot.
   */
  copySession(copy: SessionCopy, session: HeldSession): void;
  forgetSession(copy: SessionCopy): void;
  /** All copies of a worker. */
  forgetSessionsOf(worker: number): void;
  /** Those that were kept, whose descriptors belong to the caller from now on. */
  takeSessions(): Promise<readonly HeldSession[]>;
  /** The same of a worker that has ended, from its copies. */
  takeSessionsOf(worker: number): Promise<readonly HeldSession[]>;
  /** Players are accepted from now on. Resolves once the next edge would find the sockets. */
  serve(): Promise<void>;
  /** Leaves it the sockets. */
  leave(): void;
  /** Resolves once it has closed all of them. */
  end(): Promise<void>;
}

/** For an edge in one process, whose sockets end with it. */
export const noSocketHolder: SocketHolder = {
  adopt: () => Promise.resolve([]),
  keep: () => undefined,
  drop: () => undefined,
  keepSessions: () => Promise.resolve(false),
  copySession: () => undefined,
  forgetSession: () => undefined,
  forgetSessionsOf: () => undefined,
  takeSessions: () => Promise.resolve([]),
  takeSessionsOf: () => Promise.resolve([]),
  serve: () => Promise.resolve(),
  leave: () => undefined,
  end: () => Promise.resolve(),
};

const scratch = new SocketAddresses();

/** The same text for all ways to write an address. */
function keyOf(address: InternetAddress, transport: Transport): string {
  scratch.write(address);
  const { ip, port } = scratch.read();
  return `${transport} ${ip} ${port}`;
}

/**
 * The listening sockets of an edge, one for each address and port. They belong to the main thread:
 * other threads only watch them, so connections that wait outlive a thread. With `SO_REUSEPORT` each
 * thread would have a queue of its own, and another program could share the port silently.
 */
export class ListeningSockets {
  readonly #holder: SocketHolder;
  #isSuccessor: boolean;
  readonly #adopted = new Map<string, ListeningSocket>();
  readonly #open = new Set<ListeningSocket>();
  /** Closes the ports when it stops; otherwise another edge needs them. */
  #isOwner: boolean;
  /** The holder has sessions for the next edge, so it must not end. */
  #hasLeftSessions = false;

  /** @param isSuccessor another edge accepts on these ports until `takeOver` */
  constructor(holder: SocketHolder = noSocketHolder, isSuccessor = false) {
    this.#holder = holder;
    this.#isSuccessor = isSuccessor;
    this.#isOwner = !isSuccessor;
  }

  /** Receives the sockets of the edge before this one. */
  async adopt(): Promise<void> {
    for (const socket of await this.#holder.adopt()) {
      this.#adopted.set(keyOf(socket.address, socket.transport), socket);
      // If this edge does not start, another is tried.
      this.#isOwner = false;
    }
  }

  /** @throws SystemCallError if the address cannot be had, e.g. `EADDRINUSE` */
  open(address: InternetAddress, transport: Transport = "tcp"): ListeningSocket {
    const key = keyOf(address, transport);
    const socket = this.#adopted.get(key) ?? this.#bind(address, transport);
    this.#adopted.delete(key);
    this.#open.add(socket);
    return socket;
  }

  /** Leaves the sessions to the next edge, and closes their descriptors here. */
  async keepSessions(sessions: readonly HeldSession[]): Promise<void> {
    if (sessions.length > 0) this.#hasLeftSessions = await this.#holder.keepSessions(sessions);
    for (const { fd } of sessions) closeDescriptor(fd);
  }

  copySession(copy: SessionCopy, session: HeldSession): void {
    this.#holder.copySession(copy, session);
  }

  forgetSession(copy: SessionCopy): void {
    this.#holder.forgetSession(copy);
  }

  forgetSessionsOf(worker: number): void {
    this.#holder.forgetSessionsOf(worker);
  }

  /** The sessions of the edge before, whose descriptors belong to the caller. */
  takeSessions(): Promise<readonly HeldSession[]> {
    return this.#holder.takeSessions();
  }

  /** The sessions of a worker that has ended, whose descriptors belong to the caller. */
  takeSessionsOf(worker: number): Promise<readonly HeldSession[]> {
    return this.#holder.takeSessionsOf(worker);
  }

  /** All ports that are wanted are open, and players are accepted. */
  async serve(): Promise<void> {
    if (!this.#isSuccessor) this.takeOver();
    await this.#holder.serve();
  }

  /** The ports are this edge's alone: those of the edge before that it does not want close. */
  takeOver(): void {
    this.#isOwner = true;
    this.#isSuccessor = false;
    for (const socket of this.#adopted.values()) this.close(socket, Promise.resolve());
    this.#adopted.clear();
  }

  /** The ports are the successor's from now on. */
  release(): void {
    this.#isOwner = false;
  }

  /**
   * The port is closed from now on, for every thread and process that has the socket: what waits there
   * is reset.
   *
   * @param unwatched resolves once no thread of this process uses the descriptor's number
   */
  close(socket: ListeningSocket, unwatched: Promise<void>): void {
    this.#open.delete(socket);
    // A close alone would leave the port open while another process has a duplicate.
    if (socket.transport === "tcp") shutDown(socket.fd, "both");
    this.#holder.drop(socket.address, socket.transport);
    void unwatched.then(() => closeDescriptor(socket.fd));
  }

  /** The edge stops: no connection comes any more, unless another edge has the ports. */
  refuse(): void {
    if (!this.#isOwner) return;
    for (const { fd, transport } of this.#all) if (transport === "tcp") shutDown(fd, "both");
  }

  /** The last step: no thread watches any more. */
  async stop(): Promise<void> {
    this.refuse();
    for (const { fd, address, transport } of this.#all) {
      closeDescriptor(fd);
      // It refuses connections by now, and its port would not be free for the next edge.
      if (this.#isOwner && this.#hasLeftSessions && transport === "tcp") {
        this.#holder.drop(address, transport);
      }
    }
    this.#open.clear();
    this.#adopted.clear();
    if (this.#isOwner && !this.#hasLeftSessions) await this.#holder.end();
    else this.#holder.leave();
  }

  get #all(): ListeningSocket[] {
    return [...this.#open, ...this.#adopted.values()];
  }

  #bind(address: InternetAddress, transport: Transport): ListeningSocket {
    const fd =
      transport === "tcp"
        ? this.#listen(address)
        : bindUdp({ ...address, dualStack: true, bufferBytes: udpBufferBytes });
    const socket = { fd, address: boundAddress(fd), transport };
    this.#holder.keep(socket);
    return socket;
  }

  /**
   * A predecessor of a release that does not pass its sockets listens still, with `SO_REUSEPORT`. Beside
   * it, and until it is gone, the port can be opened in the same way only.
   */
  #listen(address: InternetAddress): number {
    const options = { ...address, backlog, dualStack: true };
    try {
      return listenTcp(options);
    } catch (error) {
      const isTaken = error instanceof SystemCallError && error.errno === errno.EADDRINUSE;
      if (!isTaken || !this.#isSuccessor) throw error;
      return listenTcp({ ...options, reusePort: true });
    }
  }
}
