import { type FrameResult, readFrame } from "@palisade/minecraft-protocol/java/frame";
import type { PacketLimits } from "./limits.ts";

const nothing = Buffer.alloc(0);

/** AES-128 in CFB8; the shared secret is both the key and the first block. */
export interface ConnectionCipher {
  encrypt(bytes: Uint8Array): Buffer;
  decrypt(bytes: Uint8Array): Buffer;
}

/** The packets of a player who is being verified, up to the limits, plain or encrypted. */
export class PacketStream {
  readonly #limits: PacketLimits;
  #cipher: ConnectionCipher | undefined;
  #received: Buffer = nothing;
  #offset = 0;
  #bytes = 0;
  #packets = 0;

  constructor(limits: PacketLimits) {
    this.#limits = limits;
  }

  /** Received bytes; packets are views of them. */
  get received(): Buffer {
    return this.#received;
  }

  /** Whether more bytes follow the last packet. */
  get hasMore(): boolean {
    return this.#offset < this.#received.length;
  }

  /** @returns false if that is too much */
  receive(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#limits.bytesMax) return false;
    const plain = this.#cipher?.decrypt(chunk) ?? chunk;
    this.#received = this.hasMore
      ? Buffer.concat([this.#received.subarray(this.#offset), plain])
      : plain;
    this.#offset = 0;
    return true;
  }

  nextPacket(): FrameResult | { readonly kind: "too-much" } {
    // Bytes that were read would stay in memory for as long as the player is silent.
    if (!this.hasMore) this.close();
    const frame = readFrame(this.#received, this.#offset, this.#limits.frameBytesMax);
    if (frame.kind !== "packet") return frame;
    if (++this.#packets > this.#limits.packetsMax) return { kind: "too-much" };
    this.#offset = frame.bodyEnd;
    return frame;
  }

  /** Encrypts both directions from now on. */
  encrypt(cipher: ConnectionCipher): void {
    this.#cipher = cipher;
  }

  /** Encrypts bytes for sending; must be called once per byte, in order. */
  sealed(bytes: Buffer): Buffer {
    return this.#cipher?.encrypt(bytes) ?? bytes;
  }

  /** Forgets the bytes that are there. */
  close(): void {
    this.#received = nothing;
    this.#offset = 0;
  }
}
