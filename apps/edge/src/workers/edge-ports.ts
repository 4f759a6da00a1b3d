import { lookup } from "node:dns/promises";
import { GroupPorts, type GroupPortsDeps } from "./group-ports.ts";
import type { ListeningSockets } from "./listening-sockets.ts";

export interface EdgePortsDeps extends GroupPortsDeps {
  readonly sockets: ListeningSockets;
}

/** The address that players come to. */
export interface ListenPlace {
  readonly address: string;
  readonly port: number;
}

/** Opens and closes the ports of an edge, which its threads watch: one for all shields, and those of groups. */
export class EdgePorts {
  readonly groups: GroupPorts;
  readonly #deps: EdgePortsDeps;

  constructor(deps: EdgePortsDeps) {
    this.#deps = deps;
    this.groups = new GroupPorts(deps);
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
    watchers.watch({ fd, port: address.port, isShared: true });
    this.groups.listen(address.ip);
    return { address: address.ip, port: address.port };
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
    this.#deps.sockets.release();
  }

  /** The edge stops, so no connection comes any more. */
  refuse(): void {
    this.groups.freeze();
    this.#deps.sockets.refuse();
  }

  /** The last step: no thread watches any more. */
  stop(): Promise<void> {
    return this.#deps.sockets.stop();
  }
}
