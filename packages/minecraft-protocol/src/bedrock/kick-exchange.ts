import type { Endpoint } from "../proxy/proxy-v2.ts";
import {
  connectedIds,
  encodeConnectedPong,
  encodeConnectionAccepted,
  isDisconnect,
  readConnectedPing,
  readConnectionRequest,
} from "./connected-messages.ts";
import { encodeAcknowledgement, readAcknowledgement, readFrameSet, type Frame } from "./frames.ts";
import { batchId, encodeBatch, encodePlainBatch, readPackets } from "./game-batch.ts";
import { encodeKick, encodeNetworkSettings, readSettingsRequest } from "./game-packets.ts";
import { Outbox } from "./outbox.ts";

export interface KickExchangeOptions {
  /** The player's address, which the acceptance repeats. */
  readonly client: Endpoint;
  /** As agreed in the handshake, with the headers of IP and UDP. */
  readonly mtu: number;
  /** Text that the player sees; `protocol` is undefined for clients from before 1.19.30. */
  readonly message: string | ((protocol: number | undefined) => string);
}

/** A login of 180 KB in the smallest datagrams that clients use. */
const datagramsMax = 128;
const messageCharactersMax = 4_000;
/** Bytes from which servers usually let clients compress; the edge reads none of it. */
const compressionThreshold = 512;

/**
 * The server's side of a connection that exists only to show a refused player a text: it accepts the
 * connection, answers the client's request for settings, and disconnects the client as soon as its login
 * begins, which is when the game shows a text. It holds no timer: the caller ends it after a while and
 * may call `resend` in between.
 *
 * All answers together stay below three times the received bytes and one datagram.
 */
export class KickExchange {
  readonly #options: KickExchangeOptions;
  readonly #outbox: Outbox;
  #datagrams = 0;
  #isAccepted = false;
  #isOver = false;
  #protocol: number | undefined;

  constructor(options: KickExchangeOptions) {
    this.#options = options;
    this.#outbox = new Outbox(options.mtu, options.client.ip.length === 4 ? "ipv4" : "ipv6");
  }

  /** Protocol version that the client has named. */
  get protocol(): number | undefined {
    return this.#protocol;
  }

  /** The client has the text or has left, or it has sent more than a login needs. */
  get isDone(): boolean {
    return this.#isOver || this.#outbox.isAcknowledged("kick");
  }

  /** @returns datagrams for the client */
  receive(datagram: Buffer): readonly Buffer[] {
    this.#datagrams += 1;
    if (this.#datagrams > datagramsMax) this.#isOver = true;
    if (this.isDone) return [];
    this.#outbox.addReceived(datagram.length);
    const acknowledgement = readAcknowledgement(datagram);
    if (acknowledgement !== undefined) this.#outbox.acknowledge(acknowledgement);
    const set = readFrameSet(datagram);
    if (set !== undefined) {
      const range = { first: set.sequence, last: set.sequence };
      this.#outbox.addDatagram(encodeAcknowledgement({ kind: "ack", ranges: [range] }));
      for (const frame of set.frames) this.#take(frame);
    }
    return this.#outbox.takeDatagrams();
  }

  /** @returns what the client has not acknowledged, once more */
  resend(): readonly Buffer[] {
    if (this.isDone) return [];
    for (const kind of ["accepted", "settings", "kick"] as const) this.#outbox.repeat(kind);
    return this.#outbox.takeDatagrams();
  }

  #take({ body, split }: Frame): void {
    const isBatchStart = body[0] === batchId && (split?.index ?? 0) === 0;
    if (isBatchStart && this.#isAccepted) this.#takeBatch(body, split !== undefined);
    if (isBatchStart || split !== undefined) return;
    if (isDisconnect(body)) this.#isOver = true;
    if (body[0] === connectedIds.connectionRequest) this.#accept(body);
    const pingTime = readConnectedPing(body);
    if (pingTime !== undefined) {
      // The client needs the difference of the clocks for nothing, so this side has the same clock.
      this.#outbox.addUnreliable(encodeConnectedPong({ pingTime, time: pingTime }));
    }
  }

  #accept(body: Buffer): void {
    const request = readConnectionRequest(body);
    if (request === undefined) return;
    this.#isAccepted = true;
    const { time } = request;
    const { client } = this.#options;
    this.#outbox.say("accepted", () =>
      encodeConnectionAccepted({ client, requestTime: time, time }),
    );
  }

  #takeBatch(body: Buffer, isCut: boolean): void {
    const packets = isCut ? [] : readPackets({ content: body.subarray(1), isCut });
    const protocol = packets?.map(readSettingsRequest).find((each) => each !== undefined);
    if (protocol !== undefined) {
      this.#protocol ??= protocol;
      this.#outbox.say("settings", () =>
        encodePlainBatch([encodeNetworkSettings(compressionThreshold)]),
      );
      return;
    }
    this.#outbox.say("kick", () => this.#kickBatch());
  }

  #kickBatch(): Buffer {
    const { message } = this.#options;
    const text = typeof message === "string" ? message : message(this.#protocol);
    const kick = encodeKick(text.slice(0, messageCharactersMax), this.#protocol);
    return encodeBatch([kick], this.#protocol);
  }
}
