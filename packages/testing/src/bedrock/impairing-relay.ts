import { offlineIds } from "@palisade/minecraft-protocol/bedrock/offline-messages";
import { DatagramImpairment, type ImpairmentOptions } from "./datagram-impairment.ts";
import { addressText, UdpSocket, unspecifiedHost, type UdpAddress } from "./udp-socket.ts";

export interface ImpairingRelayOptions extends ImpairmentOptions {
  readonly target: UdpAddress;
  readonly host?: string;
  readonly port?: number;
  /** Keeps what it passed on, after impairment, both ways. */
  readonly isRecording?: boolean;
  /** Datagrams that may be lost, doubled or reordered; by default all. */
  readonly isImpaired?: (bytes: Buffer) => boolean;
  /** Address from which the datagrams of a source go on; sources are numbered from 0. */
  readonly localHost?: (source: number) => string;
  /** Called with each datagram as it arrives, and as it leaves after impairment. */
  readonly observe?: (passing: RelayPassing, bytes: Buffer) => void;
}

export interface RelayPassing {
  /** The text of the source, such as `127.0.0.1:4711`. */
  readonly source: string;
  readonly to: "target" | "source";
  readonly stage: "arrives" | "leaves";
}

/** The datagrams of one source, as they left the relay. */
export interface RelayedSource {
  readonly toTarget: readonly Buffer[];
  readonly toSource: readonly Buffer[];
}

interface OpenSource {
  readonly upstream: UdpSocket;
  readonly outgoing: DatagramImpairment;
  readonly incoming: DatagramImpairment;
  readonly toTarget: Buffer[];
  readonly toSource: Buffer[];
}

/**
 * Passes datagrams on from one socket for each source, and loses, doubles and reorders them both ways.
 * Each source has rows of random numbers of its own, by the order in which the sources appear.
 */
export class ImpairingRelay {
  readonly #options: ImpairingRelayOptions;
  readonly #socket: UdpSocket;
  readonly #sources = new Map<string, OpenSource>();

  private constructor(options: ImpairingRelayOptions) {
    this.#options = options;
    const { host = "127.0.0.1", port = 0 } = options;
    this.#socket = new UdpSocket({ host, port }, (bytes, source) => this.#receive(bytes, source));
  }

  static async listen(options: ImpairingRelayOptions): Promise<ImpairingRelay> {
    const relay = new ImpairingRelay(options);
    await relay.#socket.listening();
    return relay;
  }

  get address(): UdpAddress {
    return this.#socket.address;
  }

  /** By the text of the source, such as `127.0.0.1:4711`. */
  get sources(): ReadonlyMap<string, RelayedSource> {
    return this.#sources;
  }

  async close(): Promise<void> {
    const upstreams = [...this.#sources.values()].map(({ upstream }) => upstream.close());
    await Promise.all([...upstreams, this.#socket.close()]);
  }

  #receive(bytes: Buffer, from: UdpAddress): void {
    const name = addressText(from);
    const source = this.#sources.get(name) ?? this.#addSource(from);
    if (bytes[0] === offlineIds.openRequest1) {
      // A new connection from a port that another one has had before: the network is empty by then.
      source.outgoing.clear();
      source.incoming.clear();
    }
    this.#pass(name, "target", bytes, source.outgoing, (datagram) => {
      this.#keep(source.toTarget, datagram);
      source.upstream.send(datagram, this.#options.target);
    });
  }

  #addSource(from: UdpAddress): OpenSource {
    const { target, seed, localHost } = this.#options;
    const number = this.#sources.size;
    const ownSeed = seed + 2 * number;
    const outgoing = new DatagramImpairment({ ...this.#options, seed: ownSeed });
    const incoming = new DatagramImpairment({ ...this.#options, seed: ownSeed + 1 });
    const toSource: Buffer[] = [];
    const local = { host: localHost?.(number) ?? unspecifiedHost(target.host), port: 0 };
    const name = addressText(from);
    const targetName = addressText(target);
    const upstream = new UdpSocket(local, (bytes, sender) => {
      // A port of every interface also gets what is late for a socket that had it before.
      if (addressText(sender) !== targetName) return;
      this.#pass(name, "source", bytes, incoming, (datagram) => {
        this.#keep(toSource, datagram);
        this.#socket.send(datagram, from);
      });
    });
    const source = { upstream, outgoing, incoming, toTarget: [], toSource };
    this.#sources.set(name, source);
    return source;
  }

  #pass(
    source: string,
    to: RelayPassing["to"],
    bytes: Buffer,
    impairment: DatagramImpairment,
    send: (bytes: Buffer) => void,
  ): void {
    const { isImpaired, observe } = this.#options;
    observe?.({ source, to, stage: "arrives" }, bytes);
    const leave = (datagram: Buffer): void => {
      observe?.({ source, to, stage: "leaves" }, datagram);
      send(datagram);
    };
    if (isImpaired?.(bytes) === false) leave(bytes);
    else impairment.pass(bytes, leave);
  }

  #keep(datagrams: Buffer[], datagram: Buffer): void {
    if (this.#options.isRecording === true) datagrams.push(Buffer.from(datagram));
  }
}
