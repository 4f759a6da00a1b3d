import type { Connection, ConnectionListener } from "#src/reactor/tcp-connection.ts";
import type { Admission, Sheddable, Source } from "./admission.ts";
import type { Outcome, OutcomeCounts } from "#src/telemetry/outcomes.ts";
import type { Expiring, TimerWheel } from "#src/reactor/timer-wheel.ts";
import type { EdgeLimits } from "./limits.ts";

/** The parts of the edge that it needs. */
export interface LifeDeps {
  readonly limits: EdgeLimits;
  readonly wheel: TimerWheel;
  readonly admission: Admission;
  readonly outcomes: OutcomeCounts;
}

/** The object a connection belongs to, as admission, deadlines and the socket know it. */
export type ConnectionOwner = Sheddable & Expiring & ConnectionListener;

/**
 * Start and end of a connection: its place in the admission, its deadline, its one outcome, and the
 * ways to close it.
 */
export class ConnectionLife {
  readonly #socket: Connection;
  readonly #owner: ConnectionOwner;
  readonly #source: Source;
  readonly #deps: LifeDeps;
  #outcome: Outcome | undefined;
  #discarded = 0;
  #isGone = false;

  constructor(socket: Connection, owner: ConnectionOwner, sourceKey: string, deps: LifeDeps) {
    this.#socket = socket;
    this.#owner = owner;
    this.#deps = deps;
    this.#source = deps.admission.enter(owner, sourceKey);
    socket.listen(owner);
    this.deadline(deps.limits.handshakeMs);
  }

  /** Sets the deadline, in place of the one before. */
  deadline(ms: number): void {
    this.#deps.wheel.schedule(this.#owner, ms);
  }

  /** Undefined while it is open. */
  get outcome(): Outcome | undefined {
    return this.#outcome;
  }

  /** Counts the outcome; the first one stands. */
  finish(outcome: Outcome): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = outcome;
    this.#deps.outcomes.count(outcome, this.#source.key);
  }

  /** Closes at once, without an answer. */
  drop(outcome: Outcome): void {
    this.finish(outcome);
    this.#socket.destroy();
  }

  /** All bytes were read and answered but for this answer: closes as soon as it is sent. */
  leave(answer?: Buffer): void {
    // Closing tells the client the same as a shutdown before it.
    this.#socket.closeWhenSent(answer);
  }

  /**
   * Sends the last answer and waits for the client to take it: closing while it
   * still sends would reset the connection and could take the answer with it.
   */
  lingerAfter(packet: Buffer): void {
    this.#socket.end(packet);
    this.#socket.resume();
    this.deadline(this.#deps.limits.lingerMs);
  }

  /** Sends the last answer to a client that closes the connection itself, and gives it time to. */
  awaitLeave(packet: Buffer): void {
    this.#socket.write(packet);
    this.#socket.resume();
    this.deadline(this.#deps.limits.lingerMs);
  }

  /** Bytes that still arrive from a client that has its answer. */
  discard(bytes: number): void {
    this.#discarded += bytes;
    if (this.#discarded > this.#deps.limits.discardedBytesMax) this.#socket.destroy();
  }

  /** The socket is closed. */
  closed(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.finish("left");
    this.#deps.wheel.cancel(this.#owner);
    this.#deps.admission.leave(this.#owner, this.#source);
  }

  /** Another part takes the connection from here, with deadlines of its own. */
  handOn(): void {
    this.#isGone = true;
    this.#deps.wheel.cancel(this.#owner);
    this.#deps.admission.leave(this.#owner, this.#source);
  }

  /**
   * Gives the socket to a relay, whose end is the connection's.
   *
   * @returns to be called then; it keeps nothing of the connection, which another process may have
   */
  becomePlayer(): () => void {
    this.#isGone = true;
    this.finish("forwarded");
    this.#socket.pause();
    this.#socket.listen(undefined);
    this.#deps.wheel.cancel(this.#owner);
    this.#deps.admission.settle(this.#owner, this.#source);
    return endOf(this.#source, this.#deps);
  }
}

function endOf(source: Source, { admission }: LifeDeps): () => void {
  return () => admission.playerLeft(source);
}
