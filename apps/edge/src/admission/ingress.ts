import type { Connection } from "#src/reactor/tcp-connection.ts";
import { ipOfText } from "#src/reactor/peer.ts";
import type { AddressSet } from "#src/rules/address-set.ts";
import type { LifeDeps } from "./connection-life.ts";
import { sourceKey, sourceKeyOf } from "./admission.ts";
import type { ShedReason } from "#src/telemetry/outcomes.ts";
import { ProxyHeaderReader } from "./proxy-header-reader.ts";

/** @param connection its number since the edge started */
export type Begin = (socket: Connection, sourceKey: string, connection: number) => void;

/**
 * Every accepted connection passes here, on any port: finds its source and decides whether it may
 * stay.
 */
export class Ingress {
  readonly #deps: LifeDeps;
  readonly #trusted: AddressSet;
  readonly #isBanned: (sourceKey: string) => boolean;
  #connections = 0;

  /**
   * @param trusted proxies that must name the source of each connection
   * @param isBanned whether a source is banned from the edge
   */
  constructor(
    deps: LifeDeps,
    trusted: AddressSet,
    isBanned: (sourceKey: string) => boolean = () => false,
  ) {
    this.#deps = deps;
    this.#trusted = trusted;
    this.#isBanned = isBanned;
  }

  take(socket: Connection, begin: Begin): void {
    const { admission, outcomes } = this.#deps;
    outcomes.accepted++;
    const address = socket.remote.ip;
    if (this.#trusted.size === 0 || !this.#trusted.has(ipOfText(address))) {
      this.#admit(socket, sourceKey(address), begin);
      return;
    }
    const refused = admission.admitsUnnamed();
    if (refused !== undefined) {
      this.#shed(socket, refused);
      return;
    }
    void new ProxyHeaderReader(socket, this.#deps, (ends) => {
      socket.named = ends;
      const key = ends === undefined ? sourceKey(address) : sourceKeyOf(ends.source.ip);
      this.#admit(socket, key, begin);
    });
  }

  #admit(socket: Connection, key: string, begin: Begin): void {
    const refused = this.#isBanned(key) ? "shed_ban" : this.#deps.admission.admits(key);
    if (refused === undefined) begin(socket, key, ++this.#connections);
    else this.#shed(socket, refused, key);
  }

  #shed(socket: Connection, reason: ShedReason, key?: string): void {
    this.#deps.outcomes.count(reason, key);
    // A reset leaves no TIME_WAIT behind.
    socket.reset();
  }
}
