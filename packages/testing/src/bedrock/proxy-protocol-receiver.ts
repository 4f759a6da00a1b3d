import type { Endpoint } from "@palisade/minecraft-protocol/proxy/proxy-v2";
import {
  addressText,
  endpointText,
  UdpSocket,
  unspecifiedHost,
  type UdpAddress,
} from "./udp-socket.ts";

export interface ProxyProtocolReceiverOptions {
  /** Gets the datagrams without their headers, from one socket for each source. */
  readonly server: UdpAddress;
  /** `first`: only the first datagram of a source has a header, as Geyser wants it; `every`: all have one. */
  readonly mode: "first" | "every";
  readonly host?: string;
  readonly port?: number;
}

/** A source of datagrams, and the ends that its header names. */
export interface ProxiedSource {
  /** Such as `203.0.113.7:4711`; undefined where the header is LOCAL, for a check of the proxy's own. */
  readonly player: string | undefined;
  /** The address that the player connected to. */
  readonly destination: string | undefined;
  /** Datagrams passed to the server. */
  readonly datagrams: number;
  readonly headers: number;
}

interface OpenSource {
  readonly upstream: UdpSocket;
  readonly named: string;
  player: string | undefined;
  destination: string | undefined;
  datagrams: number;
  headers: number;
}

const signature = Buffer.from("0d0a0d0a000d0a515549540a", "hex");
const headBytes = 16;
/** PROXY and UDP over IPv4 or IPv6: bytes of one address. */
const addressBytes = new Map([
  [0x12, 4],
  [0x22, 16],
]);

type Header =
  | { readonly kind: "none" }
  | { readonly kind: "wrong"; readonly why: string }
  | {
      readonly kind: "header";
      readonly bytes: number;
      readonly ends?: { readonly player: string; readonly destination: string };
    };

/**
 * Stands in front of a Bedrock server as one that wants PROXY protocol, and is strict: a datagram that
 * breaks the rule of its mode is dropped and named in `violations`. Source of the format: haproxy.org,
 * "The PROXY protocol, versions 1 & 2", section 2.2.
 */
export class ProxyProtocolReceiver {
  readonly violations: string[] = [];
  readonly #options: ProxyProtocolReceiverOptions;
  readonly #socket: UdpSocket;
  readonly #sources = new Map<string, OpenSource>();

  private constructor(options: ProxyProtocolReceiverOptions) {
    this.#options = options;
    const { host = "127.0.0.1", port = 0 } = options;
    this.#socket = new UdpSocket({ host, port }, (bytes, source) => this.#receive(bytes, source));
  }

  static async listen(options: ProxyProtocolReceiverOptions): Promise<ProxyProtocolReceiver> {
    const receiver = new ProxyProtocolReceiver(options);
    await receiver.#socket.listening();
    return receiver;
  }

  get address(): UdpAddress {
    return this.#socket.address;
  }

  /** By the address from which the proxy sends, such as `127.0.0.1:50123`. */
  get sources(): ReadonlyMap<string, ProxiedSource> {
    return this.#sources;
  }

  /** The players that headers named, in the order of their first datagrams. */
  get players(): string[] {
    return [...this.#sources.values()].flatMap(({ player }) => player ?? []);
  }

  async close(): Promise<void> {
    const upstreams = [...this.#sources.values()].map(({ upstream }) => upstream.close());
    await Promise.all([...upstreams, this.#socket.close()]);
  }

  #receive(bytes: Buffer, from: UdpAddress): void {
    const name = addressText(from);
    const source = this.#sources.get(name);
    const header = readHeader(bytes);
    if (header.kind === "wrong") this.#refuse(name, header.why);
    else if (header.kind === "none") this.#receivePlain(bytes, name, source);
    else if (source === undefined || this.#options.mode === "every") {
      this.#receiveHeader(bytes, header, from, source);
    } else this.#refuse(name, "a header on a later datagram");
  }

  #receivePlain(bytes: Buffer, name: string, source: OpenSource | undefined): void {
    if (source === undefined) this.#refuse(name, "no header on the first datagram");
    else if (this.#options.mode === "every") this.#refuse(name, "no header on a later datagram");
    else this.#passOn(bytes, source);
  }

  #receiveHeader(
    bytes: Buffer,
    { bytes: size, ends }: Extract<Header, { kind: "header" }>,
    from: UdpAddress,
    known: OpenSource | undefined,
  ): void {
    const name = addressText(from);
    const body = bytes.subarray(size);
    const named = `${ends?.player ?? "local"} to ${ends?.destination ?? "local"}`;
    if (body.length === 0) this.#refuse(name, "a header without a datagram");
    else if (readHeader(body).kind !== "none") this.#refuse(name, "two headers on one datagram");
    else if (known !== undefined && known.named !== named) {
      this.#refuse(name, `names ${named} after ${known.named}`);
    } else {
      const source = known ?? this.#addSource(from, named, ends);
      source.headers += 1;
      this.#passOn(body, source);
    }
  }

  #addSource(
    from: UdpAddress,
    named: string,
    ends: { readonly player: string; readonly destination: string } | undefined,
  ): OpenSource {
    const { host } = this.#options.server;
    const local = { host: unspecifiedHost(host), port: 0 };
    const upstream = new UdpSocket(local, (bytes) => this.#socket.send(bytes, from));
    const { player, destination } = ends ?? { player: undefined, destination: undefined };
    const source = { upstream, named, player, destination, datagrams: 0, headers: 0 };
    this.#sources.set(addressText(from), source);
    return source;
  }

  #passOn(bytes: Buffer, source: OpenSource): void {
    source.datagrams += 1;
    source.upstream.send(bytes, this.#options.server);
  }

  #refuse(name: string, why: string): void {
    this.violations.push(`${name}: ${why}`);
  }
}

function readHeader(bytes: Buffer): Header {
  if (!bytes.subarray(0, signature.length).equals(signature)) return { kind: "none" };
  if (bytes.length < headBytes) return { kind: "wrong", why: "a cut header" };
  const [command, family] = bytes.subarray(12);
  const length = bytes.readUInt16BE(14);
  const head = bytes.toString("hex", 12, headBytes);
  if (command === 0x20 && family === 0 && length === 0) return { kind: "header", bytes: headBytes };
  const size = addressBytes.get(family ?? 0);
  if (command !== 0x21 || size === undefined || length !== 2 * size + 4) {
    return { kind: "wrong", why: `a header of another kind: ${head}` };
  }
  if (bytes.length < headBytes + length) return { kind: "wrong", why: "a cut header" };
  const ports = headBytes + 2 * size;
  return {
    kind: "header",
    bytes: headBytes + length,
    ends: {
      player: endpointText(endpointAt(bytes, headBytes, size, ports)),
      destination: endpointText(endpointAt(bytes, headBytes + size, size, ports + 2)),
    },
  };
}

function endpointAt(bytes: Buffer, at: number, size: number, portAt: number): Endpoint {
  return { ip: Uint8Array.from(bytes.subarray(at, at + size)), port: bytes.readUInt16BE(portAt) };
}
