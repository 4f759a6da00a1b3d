import { randomBytes } from "node:crypto";
import type { Endpoint } from "@palisade/minecraft-protocol/proxy/proxy-v2";
import { halfSipHash } from "./half-sip-hash.ts";

/** A client answers within a round trip; the rest is for tries that got lost. */
const windowMs = 30_000;
const portsBytes = 4;

/**
 * The number that a client gets by its first request and brings back in its second. Only who receives
 * datagrams at an address can have it, so spoofed ones open nothing, and nothing is kept until it
 * comes back. Each key lives for two windows of time.
 */
export class HandshakeCookies {
  #current: Uint32Array;
  #previous: Uint32Array;
  #window: number;
  readonly #nowMs: () => number;
  readonly #input = new Uint8Array(16 + portsBytes);

  /** @param nowMs the monotonic clock */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#window = Math.floor(nowMs() / windowMs);
    this.#current = newKey();
    this.#previous = newKey();
  }

  /** @param port of ours that the client asks */
  cookieFor(client: Endpoint, port: number): number {
    this.#renew();
    return this.#hash(this.#current, client, port);
  }

  isOf(cookie: number, client: Endpoint, port: number): boolean {
    this.#renew();
    return (
      cookie === this.#hash(this.#current, client, port) ||
      cookie === this.#hash(this.#previous, client, port)
    );
  }

  #hash(key: Uint32Array, { ip, port: clientPort }: Endpoint, port: number): number {
    const input = this.#input;
    input[0] = clientPort >> 8;
    input[1] = clientPort & 0xff;
    input[2] = port >> 8;
    input[3] = port & 0xff;
    input.set(ip, portsBytes);
    return halfSipHash(key, input.subarray(0, portsBytes + ip.length));
  }

  #renew(): void {
    const window = Math.floor(this.#nowMs() / windowMs);
    if (window === this.#window) return;
    this.#previous = window === this.#window + 1 ? this.#current : newKey();
    this.#current = newKey();
    this.#window = window;
  }
}

function newKey(): Uint32Array {
  const bytes = randomBytes(8);
  return Uint32Array.of(bytes.readUInt32LE(0), bytes.readUInt32LE(4));
}
