import { lookup } from "node:dns/promises";
import { type IpBytes, parseIp } from "@palisade/minecraft-protocol/proxy/address";

export interface BackendAddress {
  readonly text: string;
  readonly ip: IpBytes;
}

/** Names are asked for again after this long, and the last good answer is kept where that fails. */
const refreshAfterMs = 60_000;
/** getaddrinfo blocks a thread of the pool of four, which files need too. */
const lookupsMax = 2;
const addressesMax = 8;

interface Name {
  /** Shields that name it. */
  readonly watchers: Set<string>;
  addresses: readonly BackendAddress[];
  askedAtMs: number;
  /** Set until the first answer or failure. */
  first: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;
}

type Lookup = (host: string) => Promise<readonly string[]>;

async function systemLookup(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => address);
}

/**
 * Addresses of backends that are given by name, asked for when the configuration
 * comes and again in the background: a player's join waits for DNS only where
 * the name is so new that it was never answered.
 */
export class BackendResolver {
  readonly #names = new Map<string, Name>();
  readonly #watched = new Map<string, readonly string[]>();
  readonly #queue = new Set<string>();
  readonly #lookup: Lookup;
  readonly #nowMs: () => number;
  #lookups = 0;

  constructor(nowMs: () => number, lookupNames: Lookup = systemLookup) {
    this.#nowMs = nowMs;
    this.#lookup = lookupNames;
  }

  /** Replaces what the shield named before. */
  watch(shieldId: string, hosts: readonly string[]): void {
    const names = hosts.filter((host) => parseIp(host) === undefined);
    const before = this.#watched.get(shieldId) ?? [];
    for (const host of names) this.#add(host, shieldId);
    for (const host of before) if (!names.includes(host)) this.#drop(host, shieldId);
    if (names.length === 0) this.#watched.delete(shieldId);
    else this.#watched.set(shieldId, names);
  }

  unwatch(shieldId: string): void {
    this.watch(shieldId, []);
  }

  /** The addresses known now; a name that was never answered is waited for. */
  async addresses(host: string): Promise<readonly BackendAddress[]> {
    const ip = parseIp(host);
    if (ip !== undefined) return [{ text: host, ip }];
    await this.#names.get(host)?.first?.promise;
    return this.#names.get(host)?.addresses ?? [];
  }

  /** Now and then: asks again for names whose answer has grown old. */
  refresh(): void {
    const before = this.#nowMs() - refreshAfterMs;
    for (const [host, name] of this.#names) if (name.askedAtMs <= before) this.#queue.add(host);
    this.#work();
  }

  #add(host: string, shieldId: string): void {
    const known = this.#names.get(host);
    if (known !== undefined) {
      known.watchers.add(shieldId);
      return;
    }
    const first = Promise.withResolvers<void>();
    this.#names.set(host, {
      watchers: new Set([shieldId]),
      addresses: [],
      askedAtMs: this.#nowMs(),
      first,
    });
    this.#queue.add(host);
    this.#work();
  }

  #drop(host: string, shieldId: string): void {
    const name = this.#names.get(host);
    name?.watchers.delete(shieldId);
    if (name?.watchers.size !== 0) return;
    this.#names.delete(host);
    this.#queue.delete(host);
    name.first?.resolve();
  }

  #work(): void {
    for (const host of this.#queue) {
      if (this.#lookups >= lookupsMax) return;
      this.#queue.delete(host);
      this.#lookups++;
      void this.#ask(host).finally(() => {
        this.#lookups--;
        this.#work();
      });
    }
  }

  async #ask(host: string): Promise<void> {
    const name = this.#names.get(host);
    if (name === undefined) return;
    name.askedAtMs = this.#nowMs();
    try {
      const addresses = (await this.#lookup(host)).flatMap((text) => {
        const ip = parseIp(text);
        return ip === undefined ? [] : [{ text, ip }];
      });
      if (addresses.length > 0) name.addresses = addresses.slice(0, addressesMax);
    } catch {
      // The last good answer stays; the next refresh asks again.
    } finally {
      name.first?.resolve();
      name.first = undefined;
    }
  }
}
