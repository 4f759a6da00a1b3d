import type { Logger } from "pino";
import { TcpListener } from "#src/connection/tcp-listener.ts";
import type { FdBudget } from "#src/forwarding/fd-budget.ts";
import type { Expiring, TimerWheel } from "#src/reactor/timer-wheel.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { PortClaim } from "#src/shields/shield-views.ts";
import type { Begin, Ingress } from "./ingress.ts";
import { type PortOpening, soleOpening } from "./port-opening.ts";

/**
 * A port that cannot be opened is tried again after this long, then twice as long, up to the cap.
 */
export const portRetryMs = 1_000;
export const portRetryMaxMs = 60_000;

export interface GroupPortsDeps {
  readonly ingress: Pick<Ingress, "take">;
  readonly wheel: TimerWheel;
  readonly log: Logger;
  /** Listeners take descriptors from connections. */
  readonly fds: Pick<FdBudget, "take" | "release">;
  readonly begin: (
    socket: Parameters<Begin>[0],
    sourceKey: string,
    connection: number,
    shield: CompiledShield,
  ) => void;
  /** Ports of this edge, which no backend may be. */
  readonly ownPorts: Set<number>;
  readonly opening?: PortOpening;
}

interface Claim {
  readonly shieldId: string;
  readonly target: CompiledShield;
}

/**
 * The TCP ports of groups that are not parsed: one listener for each, opened and closed by the
 * configuration. While two shields claim a port, as happens when it moves from one to the other,
 * the one configured last has it; the listener stays the same.
 */
export class GroupPorts {
  readonly #deps: GroupPortsDeps;
  readonly #claims = new Map<number, Claim[]>();
  readonly #portsOf = new Map<string, readonly number[]>();
  readonly #listeners = new Map<number, PortListener>();
  /** Undefined until the edge takes players. */
  #host: string | undefined;

  constructor(deps: GroupPortsDeps) {
    this.#deps = deps;
  }

  /** Open ports, and those that could not be opened so far. */
  get open(): number {
    return this.#count(true);
  }

  get missing(): number {
    return this.#count(false);
  }

  /** Attempts that failed. */
  failures = 0;

  /**
   * Starts to accept connections: the rules are loaded by now.
   *
   * @param host an IP address
   */
  listen(host: string): void {
    this.#host = host;
    for (const port of this.#claims.keys()) this.#open(port);
  }

  stop(): void {
    this.#host = undefined;
    for (const port of this.#listeners.keys()) this.#close(port);
  }

  /** Takes over the ports of a shield; none if it is gone. */
  replace(shieldId: string, ports: readonly PortClaim[]): void {
    const before = this.#portsOf.get(shieldId) ?? [];
    if (before.length === 0 && ports.length === 0) return;
    for (const port of before) {
      const others = (this.#claims.get(port) ?? []).filter((claim) => claim.shieldId !== shieldId);
      this.#claims.set(port, others);
    }
    for (const { port, target } of ports) {
      this.#claims.set(port, [...(this.#claims.get(port) ?? []), { shieldId, target }]);
      this.#open(port);
    }
    for (const port of before) if (this.#claims.get(port)?.length === 0) this.#close(port);
    if (ports.length === 0) this.#portsOf.delete(shieldId);
    else {
      this.#portsOf.set(
        shieldId,
        ports.map(({ port }) => port),
      );
    }
  }

  #open(port: number): void {
    if (this.#host === undefined || this.#listeners.has(port)) return;
    const targetOf = (): CompiledShield | undefined => this.#claims.get(port)?.at(-1)?.target;
    const onFailure = (): void => void this.failures++;
    const listener = new PortListener(this.#deps, this.#host, port, targetOf, onFailure);
    this.#listeners.set(port, listener);
    listener.open();
  }

  #close(port: number): void {
    this.#listeners.get(port)?.close();
    this.#listeners.delete(port);
    if (this.#claims.get(port)?.length === 0) this.#claims.delete(port);
  }

  #count(isOpen: boolean): number {
    let count = 0;
    for (const listener of this.#listeners.values()) if (listener.isOpen === isOpen) count++;
    return count;
  }
}

class PortListener implements Expiring {
  readonly #deps: GroupPortsDeps;
  readonly #host: string;
  readonly #port: number;
  readonly #onFailure: () => void;
  readonly #accept: Begin;
  readonly #opening: PortOpening;
  #listener: TcpListener | undefined;
  #retryMs = portRetryMs;
  #hasFailed = false;
  #isClosed = false;
  isOpen = false;
  place: Expiring["place"] = undefined;

  constructor(
    deps: GroupPortsDeps,
    host: string,
    port: number,
    targetOf: () => CompiledShield | undefined,
    onFailure: () => void,
  ) {
    this.#deps = deps;
    this.#host = host;
    this.#port = port;
    this.#onFailure = onFailure;
    this.#opening = deps.opening ?? soleOpening;
    this.#accept = (socket, sourceKey, connection) => {
      const target = targetOf();
      if (target === undefined) socket.destroy();
      else deps.begin(socket, sourceKey, connection, target);
    };
  }

  open(): void {
    const claimed = this.#opening.claim(this.#host, this.#port);
    if (claimed === undefined) this.#listen();
    else
      claimed.then(
        () => this.#listen(),
        (error: unknown) => this.#failed(error),
      );
  }

  #listen(): void {
    // Released as well, and perhaps claimed by another since.
    if (this.#isClosed) return;
    const address = {
      ip: this.#host,
      port: this.#port,
      reusePort: this.#opening.reusePort,
    };
    try {
      this.#listener = new TcpListener(address, (connection) =>
        this.#deps.ingress.take(connection, this.#accept),
      );
    } catch (error) {
      this.#failed(error);
      return;
    }
    this.#opened();
  }

  close(): void {
    this.#isClosed = true;
    this.#deps.wheel.cancel(this);
    if (this.isOpen) {
      this.#deps.ownPorts.delete(this.#port);
      this.#deps.fds.release();
    }
    this.isOpen = false;
    this.#listener?.close();
    this.#opening.release(this.#port);
  }

  /** The time until the next attempt is over. */
  expire(): void {
    this.open();
  }

  #opened(): void {
    this.isOpen = true;
    this.#deps.ownPorts.add(this.#port);
    this.#deps.fds.take();
    if (this.#hasFailed) this.#deps.log.info({ port: this.#port }, "a group's port is open now");
  }

  #failed(error: unknown): void {
    if (this.#isClosed) return;
    this.#opening.release(this.#port);
    this.#onFailure();
    if (!this.#hasFailed) {
      this.#deps.log.warn({ err: error, port: this.#port }, "a group's port cannot be had");
    }
    this.#hasFailed = true;
    this.#deps.wheel.schedule(this, this.#retryMs);
    this.#retryMs = Math.min(portRetryMaxMs, 2 * this.#retryMs);
  }
}
