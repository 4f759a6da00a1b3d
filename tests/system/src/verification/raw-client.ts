import { connect, type Socket } from "node:net";
import { readFrame } from "@palisade/minecraft-protocol/java/frame";
import { encodeHandshake } from "@palisade/minecraft-protocol/java/handshake";
import { encodeLoginStart } from "@palisade/minecraft-protocol/java/login";
import { atLeast } from "@palisade/minecraft-protocol/java/versions";
import { until } from "@palisade/testing/until";
import type { HostPort } from "../product/palisade.ts";

const frameBytesMax = 100_000;
const noUuid = new Uint8Array(16);

export interface RawClientOptions {
  readonly edge: HostPort;
  readonly host: string;
  readonly protocol: number;
  readonly name: string;
  readonly from: string;
  readonly intent?: "login" | "transfer";
}

/** The client of a bot: sends any bytes and keeps what it receives. */
export class RawClient {
  readonly #socket: Socket;
  #heard: Buffer = Buffer.alloc(0);
  #isOver = false;

  /** Sends handshake and login at once. */
  constructor({ edge, host, protocol, name, from, intent = "login" }: RawClientOptions) {
    this.#socket = connect({ ...edge, localAddress: from });
    this.#socket.on("error", () => undefined);
    this.#socket.on("close", () => void (this.#isOver = true));
    this.#socket.on("data", (chunk: Buffer) => {
      this.#heard = Buffer.concat([this.#heard, chunk]);
    });
    this.send(encodeHandshake({ protocol, host, port: edge.port, intent }));
    const uuid = atLeast(protocol, "1.20.2") ? noUuid : undefined;
    this.send(encodeLoginStart(name, uuid));
  }

  send(bytes: Uint8Array | undefined): void {
    if (bytes === undefined) throw new Error("there is no such packet in this version");
    this.#socket.write(bytes);
  }

  /** Fields of the n-th packet, counted from 0. */
  packet(n: number): Promise<Buffer> {
    return until(() => this.#packets()[n], { everyMs: 5, what: `packet ${n}` });
  }

  leave(): void {
    this.#socket.destroy();
  }

  /** Once the edge has closed. @returns the text that came last */
  async toldAtTheEnd(): Promise<string> {
    await until(() => this.#isOver, { what: "the edge to close" });
    return this.#packets().at(-1)?.toString("latin1") ?? "";
  }

  #packets(): Buffer[] {
    const packets = [];
    for (let at = 0; at < this.#heard.length;) {
      const frame = readFrame(this.#heard, at, frameBytesMax);
      if (frame.kind !== "packet") break;
      packets.push(this.#heard.subarray(frame.bodyStart, frame.bodyEnd));
      at = frame.bodyEnd;
    }
    return packets;
  }
}
