import { lookup } from "node:dns/promises";
import type { InternetAddress } from "@palisade/sockets/socket-address";
import type { TcpConnection } from "#src/connection/tcp-connection.ts";
import { TcpListener } from "#src/connection/tcp-listener.ts";
import { Session } from "#src/session/session.ts";
import type { SessionDeps } from "#src/session/session-deps.ts";
import type { Begin, Ingress } from "./ingress.ts";
import { type PortOpening, soleOpening } from "./port-opening.ts";

/** Accepts Java players and starts a session for each, or sheds it. */
export class JavaListener {
  readonly #deps: SessionDeps;
  readonly #ingress: Ingress;
  readonly #opening: PortOpening;
  #listener: TcpListener | undefined;

  constructor(deps: SessionDeps, ingress: Ingress, opening = soleOpening) {
    this.#deps = deps;
    this.#ingress = ingress;
    this.#opening = opening;
  }

  /** One for all connections. */
  readonly #begin: Begin = (connection, sourceKey, number) => {
    void new Session(connection, sourceKey, number, this.#deps);
  };

  /**
   * @param host an IP address, or a name of one
   * @throws if the address cannot be had
   */
  async listen(host: string, port: number): Promise<InternetAddress> {
    await this.#opening.claim(host, port);
    const { address: ip } = await lookup(host);
    const { reusePort } = this.#opening;
    const accepted = (connection: TcpConnection): void =>
      this.#ingress.take(connection, this.#begin);
    this.#listener = new TcpListener({ ip, port, reusePort }, accepted);
    return this.#listener.address;
  }

  /** Takes no more connections. */
  close(): void {
    this.#listener?.close();
  }

  /** Like `close`, and drops connections that no backend has taken. */
  stop(): void {
    this.close();
    this.#deps.admission.stop();
  }
}
