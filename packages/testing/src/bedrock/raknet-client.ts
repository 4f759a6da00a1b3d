import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import {
  encodeOpenRequest1,
  encodeOpenRequest2,
  encodePing,
  offlineIds,
  readOpenReply1,
  readOpenReply2,
  readPong,
  type OfflinePong,
} from "@palisade/minecraft-protocol/bedrock/offline-messages";
import { DatagramImpairment, type ImpairmentOptions } from "./datagram-impairment.ts";
import { RakNetConnection } from "./raknet-connection.ts";
import {
  connectedIds,
  encodeConnectionRequest,
  encodeNewConnection,
  ofTheGame,
  rakNetTime,
  readTimes,
} from "./raknet-messages.ts";
import {
  addressText,
  endpointOf,
  endpointText,
  headerBytesOf,
  UdpSocket,
  unspecifiedHost,
  type UdpAddress,
} from "./udp-socket.ts";

export interface RakNetClientOptions {
  readonly host: string;
  readonly port: number;
  /**
   * Local address from which it sends; by default the one that the system chooses. Thousands of sessions
   * need an address each: the system gives out ports again that a server still takes for connected
   * because the goodbye was lost.
   */
  readonly from?: string;
  /** RakNet's version. */
  readonly protocol?: number;
  /** Sizes of whole packets that it tries in turn, four times each. */
  readonly mtus?: readonly number[];
  /** The game's interval; tests that lose datagrams may ask for less. */
  readonly retryMs?: number;
  readonly silenceMs?: number;
  readonly pingEveryMs?: number;
  /** Applied both ways, each with its own row of random numbers. */
  readonly impairment?: ImpairmentOptions;
}

export interface RakNetClientEvents {
  readonly message: [body: Buffer];
  readonly close: [reason: string];
}

const refusals = new Map<number, string>([
  [offlineIds.incompatibleProtocol, "incompatible protocol"],
  [offlineIds.banned, "banned"],
  [offlineIds.noFreeConnections, "no free connections"],
  [offlineIds.alreadyConnected, "already connected"],
]);

/** The answer of a server that does not let the client in: `reason` names its kind. */
export class RakNetRefusal extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(`refused: ${reason}`);
    this.reason = reason;
  }
}

const minecraftRakNet = 11;
const minecraftMtus = [1_492, 1_200, 576];
const triesPerMtu = 4;
const minecraftRetryMs = 500;

interface Handshake {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  tries: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * A RakNet client that behaves as the game does: it answers every reply to its first request with a second
 * one, with the cookie of that reply, until the connection is open.
 *
 * @example
 * const client = await RakNetClient.open({ host: "127.0.0.1", port: 19132 });
 * await client.connect();
 * client.on("message", (body) => client.sendReliable(body));
 */
export class RakNetClient extends EventEmitter<RakNetClientEvents> {
  readonly guid = randomBytes(8).readBigUInt64BE();
  /** Cookies of the replies in their order; undefined: a reply without one. */
  readonly cookies: (number | undefined)[] = [];
  /** Errors in received datagrams, which no RakNet server sends. */
  readonly faults: string[] = [];
  readonly #options: RakNetClientOptions;
  readonly #socket: UdpSocket;
  readonly #outgoing: DatagramImpairment;
  readonly #incoming: DatagramImpairment;
  readonly #pongs = new Map<bigint, (pong: OfflinePong) => void>();
  #lastPingTime = 0n;
  #handshake: Handshake | undefined;
  #connection: RakNetConnection | undefined;
  #isClosed = false;

  private constructor(options: RakNetClientOptions) {
    super();
    this.#options = options;
    const impairment = options.impairment ?? { seed: 0 };
    this.#outgoing = new DatagramImpairment(impairment);
    this.#incoming = new DatagramImpairment({ ...impairment, seed: impairment.seed + 1 });
    const host = options.from ?? unspecifiedHost(options.host);
    const server = endpointText(endpointOf(options));
    this.#socket = new UdpSocket({ host, port: 0 }, (bytes, source) => {
      if (addressText(source) !== server) return;
      this.#incoming.pass(bytes, (datagram) => this.#receive(datagram));
    });
  }

  static async open(options: RakNetClientOptions): Promise<RakNetClient> {
    const client = new RakNetClient(options);
    await client.#socket.listening();
    return client;
  }

  /** Its own address; the host is the unspecified one where no `from` was given. */
  get address(): UdpAddress {
    return this.#socket.address;
  }

  /** Undefined until the connection is open. */
  get connection(): RakNetConnection | undefined {
    return this.#connection;
  }

  get impairments(): { outgoing: DatagramImpairment; incoming: DatagramImpairment } {
    return { outgoing: this.#outgoing, incoming: this.#incoming };
  }

  /** Asks once; without an answer the promise stays open, so a test waits with a limit of its own. */
  ping(): Promise<OfflinePong> {
    const now = rakNetTime();
    const time = now > this.#lastPingTime ? now : this.#lastPingTime + 1n;
    this.#lastPingTime = time;
    return new Promise((resolve) => {
      this.#pongs.set(time, resolve);
      this.sendRaw(encodePing(time, this.guid));
    });
  }

  /** @throws RakNetRefusal, or an Error where no answer came at all */
  connect(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#handshake = { resolve, reject, tries: 0, timer: undefined };
      this.#tryRequest1();
    });
  }

  /**
   * @param body its first byte is 0x80 or more, as that of the game (0xfe); others are RakNet's own
   * @throws Error before `connect` has resolved
   */
  sendReliable(body: Buffer): void {
    if (this.#connection === undefined) throw new Error("the RakNet client is not connected");
    this.#connection.sendReliable(ofTheGame(body));
  }

  /** Any datagram, outside of the protocol's rules. */
  sendRaw(datagram: Buffer): void {
    this.#outgoing.pass(datagram, (bytes) => this.#socket.send(bytes, this.#options));
  }

  /** Says goodbye and frees the port. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#fail(new Error("closed while connecting"));
    this.#connection?.close();
    this.#isClosed = true;
    await this.#socket.close();
  }

  /** Ends without a word, as a game that crashes. */
  async abandon(): Promise<void> {
    if (this.#isClosed) return;
    this.#fail(new Error("abandoned while connecting"));
    this.#connection?.abandon();
    this.#isClosed = true;
    await this.#socket.close();
  }

  #tryRequest1(): void {
    const handshake = this.#handshake;
    if (handshake === undefined) return;
    const { mtus = minecraftMtus, retryMs = minecraftRetryMs, host, protocol } = this.#options;
    const mtu = mtus[Math.floor(handshake.tries / triesPerMtu)];
    if (mtu === undefined) {
      this.#fail(new Error("no answer to open connection requests"));
      return;
    }
    handshake.tries += 1;
    this.sendRaw(encodeOpenRequest1(protocol ?? minecraftRakNet, mtu - headerBytesOf(host)));
    handshake.timer = setTimeout(() => this.#tryRequest1(), retryMs);
  }

  #receive(bytes: Buffer): void {
    if (this.#isClosed) return;
    const [id = 0] = bytes;
    // Datagrams of a connection have the highest bit; the offline messages never do.
    if (id >= 0x80) this.#receiveConnected(bytes);
    else if (id === offlineIds.pong) this.#receivePong(bytes);
    else if (this.#handshake !== undefined) this.#receiveHandshake(id, bytes);
  }

  #receiveConnected(bytes: Buffer): void {
    try {
      this.#connection?.receive(bytes);
    } catch (error) {
      this.faults.push(error instanceof Error ? error.message : String(error));
    }
  }

  #receivePong(bytes: Buffer): void {
    const pong = readPong(bytes);
    if (pong === undefined) return;
    this.#pongs.get(pong.time)?.(pong);
    this.#pongs.delete(pong.time);
  }

  #receiveHandshake(id: number, bytes: Buffer): void {
    const reason = refusals.get(id);
    // A repeated second request may be answered so when the connection is open already.
    if (reason !== undefined && this.#connection === undefined) {
      this.#fail(new RakNetRefusal(reason));
      return;
    }
    if (id === offlineIds.openReply1) this.#answerReply1(bytes);
    if (id === offlineIds.openReply2) this.#openConnection(bytes);
  }

  #answerReply1(bytes: Buffer): void {
    const reply = readOpenReply1(bytes);
    if (reply === undefined || this.#connection !== undefined) return;
    this.cookies.push(reply.cookie);
    const { cookie, mtu } = reply;
    const server = endpointOf(this.#options);
    this.sendRaw(encodeOpenRequest2({ cookie, server, mtu, guid: this.guid }));
  }

  #openConnection(bytes: Buffer): void {
    const reply = readOpenReply2(bytes);
    if (reply === undefined || this.#connection !== undefined) return;
    clearTimeout(this.#handshake?.timer);
    const { host, silenceMs, pingEveryMs } = this.#options;
    const connection = new RakNetConnection({
      mtu: reply.mtu,
      headerBytes: headerBytesOf(host),
      send: (datagram) => this.sendRaw(datagram),
      ...(silenceMs !== undefined && { silenceMs }),
      ...(pingEveryMs !== undefined && { pingEveryMs }),
    });
    this.#connection = connection;
    connection.on("frame", (body) => this.#receiveMessage(connection, body));
    connection.on("close", (reason) => {
      this.#fail(new Error(reason));
      this.emit("close", reason);
    });
    connection.sendReliable(encodeConnectionRequest(this.guid, rakNetTime()));
  }

  #receiveMessage(connection: RakNetConnection, body: Buffer): void {
    if (body[0] !== connectedIds.connectionAccepted) {
      this.emit("message", body);
      return;
    }
    const { answer } = readTimes(body);
    const times = { request: answer, answer: rakNetTime() };
    connection.sendReliable(encodeNewConnection(endpointOf(this.#options), times));
    const handshake = this.#handshake;
    this.#handshake = undefined;
    handshake?.resolve();
  }

  #fail(error: Error): void {
    const handshake = this.#handshake;
    this.#handshake = undefined;
    clearTimeout(handshake?.timer);
    handshake?.reject(error);
  }
}
