import type { FdBudget } from "@palisade/shared-tables/shared-counters";
import type { Logger } from "#src/ports.ts";
import type { Expiring, TimerWheel } from "@palisade/sockets/timer-wheel";
import type { PortClaim } from "#src/shields/shield-registry.ts";
import type { InternetAddress } from "@palisade/sockets/socket-address";
import type { ListeningSocket, ListeningSockets } from "./listening-sockets.ts";
import type { Transport } from "#src/admission/watched-socket.ts";
import { PortClaims } from "#src/shields/port-claims.ts";
import type { WatchedSocket } from "#src/admission/watched-socket.ts";

/**
 * A port that cannot be opened is tried again after this long, then twice as long, up to the cap.
 */
export const portRetryMs = 1_000;
export const portRetryMaxMs = 60_000;

/** The threads that accept connections. */
export interface SocketWatchers {
  watch(socket: WatchedSocket): void;
  /** Resolves once none of them uses the descriptor. */
  unwatch(fd: number): Promise<void>;
}

export interface GroupPortsDeps {
  readonly sockets: Pick<ListeningSockets, "open" | "close">;
  readonly watchers: SocketWatchers;
  readonly wheel: TimerWheel;
  readonly log: Logger;
  /** Listeners take descriptors from connections. */
  readonly fds: Pick<FdBudget, "take" | "release">;
  /** Ports of this edge, which no backend may be. */
  readonly ownPorts: Set<number>;
}

/**
 * Ports that belong to one shield, opened and closed by the configuration: TCP ports of groups that are
 * not parsed, or UDP ports of Bedrock. A port that moves from one shield to another stays open.
 */
export class GroupPorts {
  readonly #transport: Transport;
  readonly #deps: GroupPortsDeps;
  readonly #claims = new PortClaims();
  readonly #ports = new Map<number, GroupPort>();
  /** Undefined while the edge does not take players. */
  #host: string | undefined;

  constructor(deps: GroupPortsDeps, transport: Transport = "tcp") {
    this.#deps = deps;
    this.#transport = transport;
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
   * Opens the ports: the rules are loaded by now.
   *
   * @param host an IP address
   */
  listen(host: string): void {
    this.#host = host;
    for (const port of this.#claims.ports) this.#open(port);
  }

  /** Ports stay as they are from now on, because the successor opens and closes them. */
  freeze(): void {
    this.#host = undefined;
    for (const port of this.#ports.values()) port.giveUp();
  }

  /** Takes over the ports of a shield; none if it is gone. */
  replace(shieldId: string, ports: readonly PortClaim[]): void {
    const { opened, closed } = this.#claims.replace(shieldId, ports);
    if (this.#host === undefined) return;
    for (const port of opened) this.#open(port);
    for (const port of closed) {
      this.#ports.get(port)?.close();
      this.#ports.delete(port);
    }
  }

  #open(port: number): void {
    if (this.#host === undefined || this.#ports.has(port)) return;
    const onFailure = (): void => void this.failures++;
    const opened = new GroupPort(
      this.#deps,
      { ip: this.#host, port, transport: this.#transport },
      onFailure,
    );
    this.#ports.set(port, opened);
    opened.open();
  }

  #count(isOpen: boolean): number {
    let count = 0;
    for (const port of this.#ports.values()) if (port.isOpen === isOpen) count++;
    return count;
  }
}

interface PortPlace extends InternetAddress {
  readonly transport: Transport;
}

class GroupPort implements Expiring {
  readonly #deps: GroupPortsDeps;
  readonly #place: PortPlace;
  readonly #onFailure: () => void;
  #socket: ListeningSocket | undefined;
  #retryMs = portRetryMs;
  #hasFailed = false;
  place: Expiring["place"] = undefined;

  constructor(deps: GroupPortsDeps, place: PortPlace, onFailure: () => void) {
    this.#deps = deps;
    this.#place = place;
    this.#onFailure = onFailure;
  }

  get isOpen(): boolean {
    return this.#socket !== undefined;
  }

  open(): void {
    const { sockets, watchers, ownPorts, fds, log } = this.#deps;
    const { port, transport } = this.#place;
    try {
      this.#socket = sockets.open(this.#place, transport);
    } catch (error) {
      this.#failed(error);
      return;
    }
    ownPorts.add(port);
    fds.take();
    watchers.watch({ fd: this.#socket.fd, port, transport, isShared: false });
    if (this.#hasFailed) log.info({ port, transport }, "a shield's port is open now");
  }

  close(): void {
    this.giveUp();
    const { sockets, watchers, ownPorts, fds } = this.#deps;
    const socket = this.#socket;
    if (socket === undefined) return;
    this.#socket = undefined;
    ownPorts.delete(this.#place.port);
    fds.release();
    sockets.close(socket, watchers.unwatch(socket.fd));
  }

  /** No more attempts. */
  giveUp(): void {
    this.#deps.wheel.cancel(this);
  }

  /** The time until the next attempt is over. */
  expire(): void {
    this.open();
  }

  #failed(error: unknown): void {
    this.#onFailure();
    if (!this.#hasFailed) {
      const { port, transport } = this.#place;
      this.#deps.log.warn({ err: error, port, transport }, "a shield's port cannot be had");
    }
    this.#hasFailed = true;
    this.#deps.wheel.schedule(this, this.#retryMs);
    this.#retryMs = Math.min(portRetryMaxMs, 2 * this.#retryMs);
  }
}
