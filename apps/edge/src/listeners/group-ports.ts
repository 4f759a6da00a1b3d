import { createServer, type Server } from "node:net";
import type { Logger } from "pino";
import type { FdBudget } from "#src/forwarding/fd-budget.ts";
import type { Expiring, TimerWheel } from "#src/session/timer-wheel.ts";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { PortClaim } from "#src/shields/shield-views.ts";
import type { Begin, Ingress } from "./ingress.ts";
import { backlog } from "./java-listener.ts";
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

  /** Starts to accept connections: the rules are loaded by now. */
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
  #server: Server | undefined;
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
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true });
    this.#server = server;
    server.on("connection", (socket) => this.#deps.ingress.take(socket, this.#accept));
    server.on("listening", () => this.#opened(server));
    server.on("error", (error) => this.#failed(error));
    const claimed = this.#opening.claim(this.#host, this.#port);
    if (claimed === undefined) this.#listen(server);
    else
      claimed.then(
        () => this.#listen(server),
        (error: unknown) => this.#failed(error),
      );
  }

  #listen(server: Server): void {
    // Released as well, and perhaps claimed by another since.
    if (this.#isClosed) return;
    const { reusePort } = this.#opening;
    server.listen({ host: this.#host, port: this.#port, backlog, reusePort });
  }

  close(): void {
    this.#isClosed = true;
    this.#deps.wheel.cancel(this);
    if (this.isOpen) {
      this.#deps.ownPorts.delete(this.#port);
      this.#deps.fds.release();
    }
    this.isOpen = false;
    this.#server?.close();
    this.#opening.release(this.#port);
  }

  /** The time until the next attempt is over. */
  expire(): void {
    this.open();
  }

  #opened(server: Server): void {
    if (this.#isClosed) {
      server.close();
      return;
    }
    this.isOpen = true;
    this.#deps.ownPorts.add(this.#port);
    this.#deps.fds.take();
    if (this.#hasFailed) this.#deps.log.info({ port: this.#port }, "a group's port is open now");
  }

  #failed(error: unknown): void {
    // A failed accept leaves the listener as it is.
    if (this.isOpen || this.#isClosed) return;
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
