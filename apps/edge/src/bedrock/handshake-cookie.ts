import { randomBytes } from "node:crypto";
import { SeededHash } from "@palisade/shared-tables/seeded-hash";
import type { Endpoint } from "@palisade/minecraft-protocol/proxy/proxy-v2";

/** A client answers within a round trip; the rest is for tries that got lost. */
const windowMs = 30_000;

/** Versions of RakNet that the game has had since 1.14. */
export const rakNetProtocols = [11, 10, 9] as const;
export type RakNetProtocol = (typeof rakNetProtocols)[number];

/** Sources that are suspected have to answer a cookie of each round, one after the other. */
export type Round = 1 | 2;
const rounds: readonly Round[] = [1, 2];

/** The facts of a client's first request, which nothing but its cookie keeps. */
export interface FirstRequest {
  readonly protocol: RakNetProtocol;
  readonly round: Round;
}

/**
 * The number that a client gets by its first request and brings back in its second. Only who receives
 * datagrams at an address can have it, so spoofed ones open nothing, and nothing is kept until it
 * comes back. Each key lives for two windows of time.
 */
export class HandshakeCookies {
  #current = newKey();
  #previous = newKey();
  #window: number;
  readonly #nowMs: () => number;
  readonly #ports = new Uint8Array(4);

  /** @param nowMs the monotonic clock */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#window = Math.floor(nowMs() / windowMs);
  }

  /** @param port of ours that the client asks */
  cookieFor(client: Endpoint, port: number, request: FirstRequest): number {
    this.#renew();
    return this.#hash(this.#current, client, port, request);
  }

  /** @returns undefined for a cookie that this client has not got from here, or long ago */
  find(cookie: number, client: Endpoint, port: number): FirstRequest | undefined {
    this.#renew();
    for (const protocol of rakNetProtocols) {
      for (const round of rounds) {
        const request = { protocol, round };
        const isOf = (key: SeededHash) => cookie === this.#hash(key, client, port, request);
        if (isOf(this.#current) || isOf(this.#previous)) return request;
      }
    }
    return undefined;
  }

  #hash(
    key: SeededHash,
    client: Endpoint,
    port: number,
    { protocol, round }: FirstRequest,
  ): number {
    const ports = this.#ports;
    ports[0] = client.port >> 8;
    ports[1] = client.port & 0xff;
    ports[2] = port >> 8;
    ports[3] = port & 0xff;
    const hash = key
      .begin(protocol * 4 + round)
      .add(ports)
      .add(client.ip);
    return hash.end().low >>> 0;
  }

  #renew(): void {
    const window = Math.floor(this.#nowMs() / windowMs);
    if (window === this.#window) return;
    this.#previous = window === this.#window + 1 ? this.#current : newKey();
    this.#current = newKey();
    this.#window = window;
  }
}

function newKey(): SeededHash {
  return new SeededHash(randomBytes(8));
}
