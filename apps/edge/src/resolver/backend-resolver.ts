import { lookup, Resolver } from "node:dns/promises";
import { type IpBytes, parseIp } from "@palisade/minecraft-protocol/proxy/address";

export interface BackendAddress {
  readonly text: string;
  readonly ip: IpBytes;
}

/** Names are resolved again after this long; the last good answer is kept if that fails. */
const refreshAfterMs = 60_000;
/** A name that keeps failing is resolved more and more rarely, at least this often. */
const refreshMaxMs = 300_000;
const lookupsMax = 16;
/** getaddrinfo blocks a thread of the pool of four, which files need too. */
const systemLookupsMax = 2;
const addressesMax = 8;

interface Name {
  /** Shields that name it. */
  readonly watchers: Set<string>;
  addresses: readonly BackendAddress[];
  askAtMs: number;
  failures: number;
  /** Set until the first answer or failure. */
  first: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;
}

type Lookup = (host: string) => Promise<readonly string[]>;

let systemLookups = 0;

/**
 * Asks the name servers, with a deadline and without a thread. A name they do not know may be in
 * the machine's own files.
 */
async function lookupName(host: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const isSlow = answers.some((each) => each.status === "rejected" && isTimeout(each.reason));
  if (found.length > 0 || isSlow || systemLookups >= systemLookupsMax) return found;
  systemLookups++;
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } finally {
    systemLookups--;
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ETIMEOUT";
}

/**
 * Resolves the names of backends, when the configuration comes and again in the background: a
 * player's join waits for DNS only if the name is so new that it was never answered. New names go
 * first, and each shield has one look-up at a time, so that a shield with slow name servers delays
 * only itself.
 */
export class BackendResolver {
  readonly #names = new Map<string, Name>();
  readonly #watched = new Map<string, readonly string[]>();
  readonly #new = new Set<string>();
  readonly #old = new Set<string>();
  /** Shields that a look-up is under way for. */
  readonly #asking = new Set<string>();
  /** The last host that was an address itself: players who come together mostly go to one backend. */
  #literal: readonly BackendAddress[] = [];
  readonly #lookup: Lookup;
  readonly #nowMs: () => number;

  constructor(nowMs: () => number, lookupNames: Lookup = lookupName) {
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

  /** The addresses known now; a promise only for a name that was never answered, which is waited for. */
  addresses(host: string): Promise<readonly BackendAddress[]> | readonly BackendAddress[] {
    if (this.#literal[0]?.text === host) return this.#literal;
    const ip = parseIp(host);
    if (ip !== undefined) return (this.#literal = [{ text: host, ip }]);
    const name = this.#names.get(host);
    if (name?.first === undefined) return name?.addresses ?? [];
    return name.first.promise.then(() => this.#names.get(host)?.addresses ?? []);
  }

  /** Called regularly: resolves names whose answer has grown old. */
  refresh(): void {
    const nowMs = this.#nowMs();
    for (const [host, name] of this.#names) if (name.askAtMs <= nowMs) this.#old.add(host);
    this.#work();
  }

  #add(host: string, shieldId: string): void {
    const known = this.#names.get(host);
    if (known !== undefined) {
      known.watchers.add(shieldId);
      this.#work();
      return;
    }
    const first = Promise.withResolvers<void>();
    this.#names.set(host, {
      watchers: new Set([shieldId]),
      addresses: [],
      askAtMs: Number.POSITIVE_INFINITY,
      failures: 0,
      first,
    });
    this.#new.add(host);
    this.#work();
  }

  #drop(host: string, shieldId: string): void {
    const name = this.#names.get(host);
    name?.watchers.delete(shieldId);
    if (name?.watchers.size !== 0) return;
    this.#names.delete(host);
    this.#new.delete(host);
    this.#old.delete(host);
    name.first?.resolve();
  }

  #work(): void {
    for (const queue of [this.#new, this.#old]) {
      for (const host of queue) {
        if (this.#asking.size >= lookupsMax) return;
        const name = this.#names.get(host);
        const shieldId = name && this.#freeWatcher(name);
        if (name === undefined || shieldId === undefined) continue;
        queue.delete(host);
        this.#asking.add(shieldId);
        void this.#ask(host, name).finally(() => {
          this.#asking.delete(shieldId);
          this.#work();
        });
      }
    }
  }

  #freeWatcher({ watchers }: Name): string | undefined {
    for (const shieldId of watchers) if (!this.#asking.has(shieldId)) return shieldId;
    return undefined;
  }

  async #ask(host: string, name: Name): Promise<void> {
    name.askAtMs = Number.POSITIVE_INFINITY;
    // The last good answer stays where this one fails.
    const texts = await this.#lookup(host).catch(() => []);
    const addresses = texts.flatMap((text) => {
      const ip = parseIp(text);
      return ip === undefined ? [] : [{ text, ip }];
    });
    if (addresses.length > 0) name.addresses = addresses.slice(0, addressesMax);
    name.failures = addresses.length > 0 ? 0 : name.failures + 1;
    const waits = 2 ** Math.max(0, Math.min(name.failures, 10) - 1);
    name.askAtMs = this.#nowMs() + Math.min(refreshMaxMs, refreshAfterMs * waits);
    name.first?.resolve();
    name.first = undefined;
  }
}

/**
 * Addresses for probes: those the shields' resolver knows, else by asking the name servers
 * apart from it. A name that takes long holds up no backend's name and no thread.
 */
export class ProbeResolver {
  readonly #known: Pick<BackendResolver, "addresses">;
  readonly #lookup: Lookup;

  constructor(known: Pick<BackendResolver, "addresses">, lookup: Lookup = askNameServers) {
    this.#known = known;
    this.#lookup = lookup;
  }

  async addresses(host: string): Promise<readonly BackendAddress[]> {
    const known = await this.#known.addresses(host);
    if (known.length > 0) return known;
    const found = await this.#lookup(host).catch(() => []);
    return found.slice(0, addressesMax).flatMap((text) => {
      const ip = parseIp(text);
      return ip === undefined ? [] : [{ text, ip }];
    });
  }
}

async function askNameServers(host: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
}
