import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { headerBytes } from "@palisade/minecraft-protocol/bedrock/offline-messages";
import { formatIp, parseIp } from "@palisade/minecraft-protocol/proxy/address";
import type { Endpoint } from "@palisade/minecraft-protocol/proxy/proxy-v2";

/** The end of a socket. The host is an IP address. */
export interface UdpAddress {
  readonly host: string;
  readonly port: number;
}

/** The system gives as much of it as it allows. */
const bufferBytes = 4 * 1_024 * 1_024;

/** A socket that does not lose what was sent just before it closes. */
export class UdpSocket {
  readonly #socket: Socket;
  #pending = 0;
  #isClosed = false;
  #onDrained: (() => void) | undefined;

  /**
   * Datagrams may be sent at once; they wait until the socket is bound.
   *
   * @param local port 0: any that is free
   */
  constructor(local: UdpAddress, receive: (bytes: Buffer, source: UdpAddress) => void) {
    this.#socket = createSocket({
      type: local.host.includes(":") ? "udp6" : "udp4",
      recvBufferSize: bufferBytes,
      sendBufferSize: bufferBytes,
    });
    this.#socket.on("message", (bytes, { address: host, port }) => receive(bytes, { host, port }));
    this.#socket.bind(local.port, local.host);
  }

  /** @throws Error where the port is taken */
  async listening(): Promise<void> {
    await once(this.#socket, "listening");
    // The system reports "port unreachable" of an earlier datagram, which no player notices.
    this.#socket.on("error", () => undefined);
  }

  get address(): UdpAddress {
    const { address, port } = this.#socket.address();
    return { host: address, port };
  }

  send(bytes: Uint8Array, { host, port }: UdpAddress): void {
    if (this.#isClosed) return;
    this.#pending += 1;
    this.#socket.send(bytes, port, host, () => {
      this.#pending -= 1;
      if (this.#pending === 0) this.#onDrained?.();
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#pending > 0) await new Promise<void>((resolve) => (this.#onDrained = resolve));
    this.#socket.close();
    await once(this.#socket, "close");
  }
}

/** The address of every interface, of the same family. */
export function unspecifiedHost(host: string): string {
  return host.includes(":") ? "::" : "0.0.0.0";
}

/** Sources are named so, such as `127.0.0.1:4711` or `[::1]:4711`. */
export function addressText({ host, port }: UdpAddress): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

export function endpointOf({ host, port }: UdpAddress): Endpoint {
  const ip = parseIp(host);
  if (ip === undefined) throw new Error(`${host} is no IP address`);
  return { ip, port };
}

/** As `addressText`. */
export function endpointText({ ip, port }: Endpoint): string {
  const text = formatIp(ip);
  // The URL parser writes IPv6 in its canonical form.
  return text.includes(":") ? `${new URL(`http://[${text}]`).hostname}:${port}` : `${text}:${port}`;
}

/** Bytes of IP and UDP before a datagram to this host. */
export function headerBytesOf(host: string): number {
  return host.includes(":") ? headerBytes.ipv6 : headerBytes.ipv4;
}
