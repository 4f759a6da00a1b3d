import { closeDescriptor } from "@palisade/sockets/descriptors";
import { epollEvents } from "@palisade/sockets/epoll";
import { boundAddress } from "@palisade/sockets/tcp";
import { openUdp } from "@palisade/sockets/udp-socket";
import { type Endpoint, encodeProxyV2 } from "@palisade/minecraft-protocol/proxy/proxy-v2";
import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import type { EventHandler, Slot } from "@palisade/sockets/reactor";
import { threadReactor } from "@palisade/sockets/reactor";
import type { BackendAddress, BackendResolver } from "#src/resolver/backend-resolver.ts";
import type { DialPolicy } from "#src/routing/dial-policy.ts";
import type { FdBudget } from "@palisade/shared-tables/shared-counters";
import type { Backend } from "#src/shields/backend-groups.ts";
import type { BedrockTarget } from "#src/shields/bedrock-target.ts";

export interface BackendSocketDeps {
  readonly fds: FdBudget;
  readonly resolver: Pick<BackendResolver, "addresses">;
  readonly policy: DialPolicy;
}

export interface OpenedSocket {
  readonly fd: number;
  readonly address: BackendAddress;
}

/**
 * Opens a socket to the first of the backend's addresses that may be sent to.
 *
 * @param mayUse whether an address is taken at all
 */
export function openBackendSocket(
  addresses: readonly BackendAddress[],
  port: number,
  { policy, fds }: Pick<BackendSocketDeps, "policy" | "fds">,
  mayUse: (address: BackendAddress) => boolean,
): OpenedSocket | "forbidden" | "no_room" | "unresolved" {
  const address = addresses.find((each) => policy.mayDial(each.ip, port) && mayUse(each));
  if (address === undefined) return addresses.length === 0 ? "unresolved" : "forbidden";
  if (!fds.tryTake()) return "no_room";
  const fd = openUdp({ ip: address.text, port });
  if (fd >= 0) return { fd, address };
  fds.release();
  return "forbidden";
}

/** A socket of a backend that is registered with this thread's reactor, and the descriptor's owner. */
export class BackendSocket {
  readonly fd: number;
  readonly address: BackendAddress;
  readonly #fds: FdBudget;
  readonly #reactor = threadReactor();
  #slot: Slot;

  constructor({ fd, address }: OpenedSocket, fds: FdBudget, handler: EventHandler) {
    this.fd = fd;
    this.address = address;
    this.#fds = fds;
    this.#slot = this.#reactor.add(fd, epollEvents.readable, handler);
  }

  /** Its datagrams are another object's from now on. */
  handTo(handler: EventHandler): void {
    this.#reactor.detach(this.#slot, this.fd);
    this.#slot = this.#reactor.add(this.fd, epollEvents.readable, handler);
  }

  close(): void {
    // Another process may have a copy, by which it would go on to report.
    this.#reactor.detach(this.#slot, this.fd);
    closeDescriptor(this.fd);
    this.#fds.release();
  }

  /** Gives the descriptor to the caller, who sends it to another process and closes it. */
  release(): number {
    this.#reactor.detach(this.#slot, this.fd);
    this.#fds.release();
    return this.fd;
  }
}

/** The PROXY header of the edge's own datagrams: receivers that want one want it with a ping, too. */
export function ownHeader(
  { proxy, port }: Pick<BedrockTarget, "proxy" | "port">,
  { fd, address }: OpenedSocket,
): Uint8Array {
  if (proxy === "off") return nothing;
  const own = boundAddress(fd);
  const ip = parseIp(own.ip);
  if (ip === undefined) return nothing;
  return encodeProxyV2({ ip, port: own.port }, { ip: address.ip, port }, "udp");
}

export function playerHeader(
  target: BedrockTarget,
  client: Endpoint,
  server: Endpoint,
): Uint8Array {
  return target.proxy === "off" ? nothing : encodeProxyV2(client, server, "udp");
}

const nothing = new Uint8Array(0);

/** Whether players may be relayed to the address: it is no stranger's; see `BackendProof`. */
export function isProven(
  { proof }: Backend,
  target: BedrockTarget,
  { text }: BackendAddress,
): boolean {
  return proof.allows("minecraft", text) || target.answered.has(text);
}
