import { lookup } from "node:dns/promises";
import { GroupPorts, type GroupPortsDeps } from "./group-ports.ts";
import type { ListeningSockets } from "./listening-sockets.ts";
import type { HeldSession } from "#src/bedrock/session-record.ts";

export interface EdgePortsDeps extends GroupPortsDeps {
  readonly sockets: ListeningSockets;
  /** UDP ports of this edge, which no backend for Bedrock may be. */
  readonly ownUdpPorts: Set<number>;
}

/** The address that players come to. */
export interface ListenPlace {
  readonly address: string;
  readonly port: number;
}

/** Opens and closes the ports of an edge, which its threads watch: one for all shields, and those that belong to one. */
export class EdgePorts {
  readonly groups: GroupPorts;
  readonly bedrock: GroupPorts;
  readonly #deps: EdgePortsDeps;
  #ip = "";

  constructor(deps: EdgePortsDeps) {
    this.#deps = deps;
    this.groups = new GroupPorts(deps);
    this.bedrock = new GroupPorts({ ...deps, ownPorts: deps.ownUdpPorts }, "udp");
  }

  /** An address at which this machine reaches the ports; empty before they are open. */
  get ownIp(): string {
    return this.#ip === "::" || this.#ip === "0.0.0.0" ? "127.0.0.1" : this.#ip;
  }

  /**
   * From now on connections come, and wait until a thread accepts them.
   *
   * @param host an IP address, or a name of one
   * @throws if the address cannot be had
   */
  async open(host: string, port: number): Promise<ListenPlace> {
    const { sockets, ownPorts, watchers } = this.#deps;
    const { address: ip } = await lookup(host);
    await sockets.adopt();
    const { fd, address } = sockets.open({ ip, port });
    ownPorts.add(address.port);
    watchers.watch({ fd, port: address.port, transport: "tcp", isShared: true });
    this.groups.listen(address.ip);
    this.#ip = address.ip;
    return { address: address.ip, port: address.port };
  }

  /**
   * Takes datagrams: no predecessor has the sessions they belong to. The ports of the edge before are
   * kept if this comes before `serve` and `takeOver`, which close those that are not open here.
   *
   * @returns the sessions of an edge before this one
   */
  async listenForDatagrams(): Promise<readonly HeldSession[]> {
    const sessions = await this.#deps.sockets.takeSessions();
    // Datagrams wait until the sessions they belong to are here.
    this.bedrock.listen(this.#ip);
    return sessions;
  }

  /** Players are accepted. */
  serve(): Promise<void> {
    return this.#deps.sockets.serve();
  }

  /** The predecessor is gone. */
  takeOver(): void {
    this.#deps.sockets.takeOver();
  }

  /** The ports are the successor's to open and close. */
  release(): void {
    this.groups.freeze();
    this.bedrock.freeze();
    this.#deps.sockets.release();
  }

  /** The edge stops, so no connection comes any more. */
  refuse(): void {
    this.groups.freeze();
    this.bedrock.freeze();
    this.#deps.sockets.refuse();
  }

  /** The last step: no thread watches any more. */
  stop(): Promise<void> {
    return this.#deps.sockets.stop();
  }
}
