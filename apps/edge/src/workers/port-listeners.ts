import { TcpListener } from "@palisade/sockets/tcp-listener";
import type { CompiledShield } from "#src/shields/compiled-shield.ts";
import type { PortClaim } from "#src/shields/shield-registry.ts";
import type { Begin, Ingress } from "#src/admission/ingress.ts";
import type { WatchedSocket } from "#src/admission/watched-socket.ts";
import { PortClaims } from "#src/shields/port-claims.ts";

export interface PortListenersDeps {
  readonly ingress: Pick<Ingress, "takerOf">;
  /** Begins with a connection to the port that shields share. */
  readonly begin: Begin;
  readonly beginUnparsed: (
    socket: Parameters<Begin>[0],
    sourceKey: string,
    connection: number,
    shield: CompiledShield,
  ) => void;
  /** Whether other threads accept on the same sockets. */
  readonly takesTurns: boolean;
  /** Ports of this edge, which no backend may be. */
  readonly ownPorts: Set<number>;
}

/**
 * Accepts on the edge's listening sockets, in one thread. The port of a group is accepted on once its
 * shield is known here: until then its connections wait in the kernel.
 */
export class PortListeners {
  readonly #deps: PortListenersDeps;
  readonly #claims = new PortClaims();
  readonly #sockets = new Map<number, WatchedSocket>();
  readonly #listeners = new Map<number, TcpListener>();
  #isClosed = false;

  constructor(deps: PortListenersDeps) {
    this.#deps = deps;
  }

  /** @throws SystemCallError */
  watch(socket: WatchedSocket): void {
    if (this.#isClosed) return;
    this.#sockets.set(socket.fd, socket);
    this.#deps.ownPorts.add(socket.port);
    this.#settle(socket);
  }

  /** The descriptor's number is not used any more when this returns. */
  unwatch(fd: number): void {
    const socket = this.#sockets.get(fd);
    if (socket === undefined) return;
    this.#sockets.delete(fd);
    this.#close(fd);
    const hasOther = [...this.#sockets.values()].some(({ port }) => port === socket.port);
    if (!hasOther) this.#deps.ownPorts.delete(socket.port);
  }

  /** Takes over the ports of a shield; none if it is gone. */
  replace(shieldId: string, ports: readonly PortClaim[]): void {
    const { opened, closed } = this.#claims.replace(shieldId, ports);
    const changed = new Set([...opened, ...closed]);
    for (const socket of this.#sockets.values()) if (changed.has(socket.port)) this.#settle(socket);
  }

  /** Once a second: connections may wait of which another thread was told, and has ended or hangs. */
  tick(): void {
    for (const listener of this.#listeners.values()) listener.rejoin();
  }

  /** Accepts no more connections; those that wait stay in the kernel. */
  close(): void {
    this.#isClosed = true;
    for (const fd of this.#sockets.keys()) this.#close(fd);
    this.#sockets.clear();
  }

  #settle(socket: WatchedSocket): void {
    const { fd, port, isShared } = socket;
    if (!isShared && !this.#claims.has(port)) this.#close(fd);
    else if (!this.#listeners.has(fd)) this.#listeners.set(fd, this.#listen(socket));
  }

  #listen({ fd, port, isShared }: WatchedSocket): TcpListener {
    const { ingress, begin, takesTurns } = this.#deps;
    const unparsed: Begin = (socket, sourceKey, connection) => {
      const target = this.#claims.targetOf(port);
      if (target === undefined) socket.destroy();
      else this.#deps.beginUnparsed(socket, sourceKey, connection, target);
    };
    return new TcpListener(fd, ingress.takerOf(isShared ? begin : unparsed), takesTurns);
  }

  #close(fd: number): void {
    this.#listeners.get(fd)?.close();
    this.#listeners.delete(fd);
  }
}
