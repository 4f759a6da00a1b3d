import { randomBytes, randomInt } from "node:crypto";
import { EventEmitter } from "node:events";
import {
  encodeIncompatibleProtocol,
  encodeOpenReply1,
  encodeOpenReply2,
  encodePong,
  encodeRefusal,
  offlineIds,
  readOpenRequest1,
  readOpenRequest2,
  readPing,
} from "@palisade/minecraft-protocol/bedrock/offline-messages";
import { RakNetConnection } from "./raknet-connection.ts";
import {
  connectedIds,
  encodeConnectionAccepted,
  ofTheGame,
  rakNetTime,
} from "./raknet-messages.ts";
import {
  addressText,
  endpointOf,
  headerBytesOf,
  UdpSocket,
  type UdpAddress,
} from "./udp-socket.ts";

export interface RakNetServerOptions {
  readonly host?: string;
  readonly port?: number;
  /** Text of its pongs; undefined: it does not answer pings. */
  readonly advertisement?: string;
  /** Asks for a cookie in the second request, as a vanilla server does. */
  readonly hasCookie?: boolean;
  readonly protocol?: number;
  readonly mtuMax?: number;
  readonly connectionsMax?: number;
  /** It takes the sources of its first so many second requests for connected already. */
  readonly takenSources?: number;
  /** Sends every message back. */
  readonly isEcho?: boolean;
  /** Keeps every datagram that it receives. */
  readonly isRecording?: boolean;
  readonly silenceMs?: number;
}

export interface RakNetServerEvents {
  /** The handshake is complete; the client's first message comes later. */
  readonly connection: [peer: RakNetPeer];
}

export interface RakNetPeerEvents {
  readonly message: [body: Buffer];
  readonly close: [reason: string];
}

/** A connection as the server has it. */
export class RakNetPeer extends EventEmitter<RakNetPeerEvents> {
  readonly guid: bigint;
  readonly address: UdpAddress;
  readonly connection: RakNetConnection;
  isOpen = false;

  constructor(guid: bigint, address: UdpAddress, connection: RakNetConnection) {
    super();
    this.guid = guid;
    this.address = address;
    this.connection = connection;
  }

  /** @param body its first byte is 0x80 or more, as that of the game (0xfe); others are RakNet's own */
  sendReliable(body: Buffer): void {
    this.connection.sendReliable(ofTheGame(body));
  }

  close(): void {
    this.connection.close();
  }
}

const minecraftRakNet = 11;
const minecraftMtuMax = 1_492;
/** Smaller ones cannot carry the handshake. */
const mtuMin = 400;

/**
 * A RakNet server without a game behind it. Tests read the datagrams that it received, by source.
 *
 * @example
 * const server = await RakNetServer.listen({ advertisement: "MCPE;…", isEcho: true });
 */
export class RakNetServer extends EventEmitter<RakNetServerEvents> {
  readonly guid = randomBytes(8).readBigUInt64BE();
  advertisement: string | undefined;
  /** By the text of the source, such as `127.0.0.1:4711`; filled only where it records. */
  readonly received = new Map<string, Buffer[]>();
  readonly counts = {
    pings: 0,
    requests1: 0,
    requests2: 0,
    /** Second requests without the cookie of their source. */
    wrongCookies: 0,
    opened: 0,
    /** Datagrams that no RakNet peer sends, or of sources without a connection. */
    strays: 0,
  };
  readonly #options: RakNetServerOptions;
  readonly #socket: UdpSocket;
  readonly #cookies = new Map<string, number>();
  readonly #peers = new Map<string, RakNetPeer>();

  private constructor(options: RakNetServerOptions) {
    super();
    this.#options = options;
    this.advertisement = options.advertisement;
    const { host = "127.0.0.1", port = 0 } = options;
    this.#socket = new UdpSocket({ host, port }, (bytes, source) => this.#receive(bytes, source));
  }

  static async listen(options: RakNetServerOptions = {}): Promise<RakNetServer> {
    const server = new RakNetServer(options);
    await server.#socket.listening();
    return server;
  }

  get address(): UdpAddress {
    return this.#socket.address;
  }

  /** Open connections, by the text of their source. */
  get peers(): ReadonlyMap<string, RakNetPeer> {
    return this.#peers;
  }

  /** Says goodbye to every client and frees the port. */
  async close(): Promise<void> {
    for (const peer of this.#peers.values()) peer.close();
    await this.#socket.close();
  }

  /** Ends without a word, as a server that crashes. */
  async abandon(): Promise<void> {
    for (const peer of this.#peers.values()) peer.connection.abandon();
    await this.#socket.close();
  }

  #receive(bytes: Buffer, source: UdpAddress): void {
    const name = addressText(source);
    if (this.#options.isRecording === true) this.#record(name, bytes);
    const [id = 0] = bytes;
    if (id >= 0x80) this.#receiveConnected(bytes, this.#peers.get(name));
    else if (id === offlineIds.openRequest1) this.#receiveRequest1(bytes, source, name);
    else if (id === offlineIds.openRequest2) this.#receiveRequest2(bytes, source, name);
    else this.#receivePing(bytes, source);
  }

  #record(name: string, bytes: Buffer): void {
    const datagrams = this.received.get(name);
    if (datagrams === undefined) this.received.set(name, [Buffer.from(bytes)]);
    else datagrams.push(Buffer.from(bytes));
  }

  #receivePing(bytes: Buffer, source: UdpAddress): void {
    const ping = readPing(bytes);
    if (ping === undefined) {
      this.counts.strays += 1;
      return;
    }
    this.counts.pings += 1;
    if (this.advertisement === undefined || (ping.isOpenOnly && this.#isFull())) return;
    this.#send(encodePong(ping.time, this.guid, Buffer.from(this.advertisement)), source);
  }

  #receiveRequest1(bytes: Buffer, source: UdpAddress, name: string): void {
    const request = readOpenRequest1(bytes);
    if (request === undefined) {
      this.counts.strays += 1;
      return;
    }
    this.counts.requests1 += 1;
    const { protocol = minecraftRakNet, mtuMax = minecraftMtuMax, hasCookie } = this.#options;
    if (request.protocol !== protocol) {
      this.#send(encodeIncompatibleProtocol(protocol, this.guid), source);
      return;
    }
    const mtu = Math.min(bytes.length + headerBytesOf(source.host), mtuMax);
    const cookie = hasCookie === true ? this.#cookieOf(name) : undefined;
    this.#send(encodeOpenReply1({ guid: this.guid, cookie, mtu }), source);
  }

  #cookieOf(name: string): number {
    const cookie = this.#cookies.get(name) ?? randomInt(2 ** 32);
    this.#cookies.set(name, cookie);
    return cookie;
  }

  #receiveRequest2(bytes: Buffer, source: UdpAddress, name: string): void {
    const { hasCookie = false, mtuMax = minecraftMtuMax, takenSources = 0 } = this.#options;
    const request = readOpenRequest2(bytes, hasCookie);
    if (request === undefined || request.mtu < mtuMin) {
      this.counts.strays += 1;
      return;
    }
    this.counts.requests2 += 1;
    if (hasCookie && request.cookie !== this.#cookies.get(name)) {
      this.counts.wrongCookies += 1;
      return;
    }
    const known = this.#peers.get(name);
    const isTaken = this.counts.requests2 <= takenSources;
    if (isTaken || (known !== undefined && (known.isOpen || known.guid !== request.guid))) {
      this.#send(encodeRefusal("alreadyConnected", this.guid), source);
      return;
    }
    if (known === undefined && this.#isFull()) {
      this.#send(encodeRefusal("noFreeConnections", this.guid), source);
      return;
    }
    const mtu = known?.connection.mtu ?? Math.min(request.mtu, mtuMax);
    if (known === undefined) this.#addPeer(request.guid, source, name, mtu);
    this.#send(encodeOpenReply2({ guid: this.guid, client: endpointOf(source), mtu }), source);
  }

  #isFull(): boolean {
    return this.#peers.size >= (this.#options.connectionsMax ?? Infinity);
  }

  #addPeer(guid: bigint, source: UdpAddress, name: string, mtu: number): void {
    const { silenceMs } = this.#options;
    const connection = new RakNetConnection({
      mtu,
      headerBytes: headerBytesOf(source.host),
      send: (datagram) => this.#send(datagram, source),
      ...(silenceMs !== undefined && { silenceMs }),
    });
    const peer = new RakNetPeer(guid, source, connection);
    this.#peers.set(name, peer);
    connection.on("frame", (body) => this.#receiveMessage(peer, body));
    connection.on("close", (reason) => {
      this.#peers.delete(name);
      peer.emit("close", reason);
    });
  }

  #receiveConnected(bytes: Buffer, peer: RakNetPeer | undefined): void {
    if (peer === undefined) {
      this.counts.strays += 1;
      return;
    }
    try {
      peer.connection.receive(bytes);
    } catch {
      this.counts.strays += 1;
    }
  }

  #receiveMessage(peer: RakNetPeer, body: Buffer): void {
    if (peer.isOpen) {
      peer.emit("message", body);
      if (this.#options.isEcho === true) peer.sendReliable(body);
    } else if (body[0] === connectedIds.connectionRequest && body.length >= 17) {
      const times = { request: body.readBigUInt64BE(9), answer: rakNetTime() };
      peer.connection.sendReliable(encodeConnectionAccepted(endpointOf(peer.address), times));
    } else if (body[0] === connectedIds.newConnection) {
      peer.isOpen = true;
      this.counts.opened += 1;
      this.emit("connection", peer);
    }
  }

  #send(bytes: Buffer, to: UdpAddress): void {
    this.#socket.send(bytes, to);
  }
}
