import { Resolver } from "node:dns/promises";
import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import type { BackendAddress, BackendResolver } from "./backend-resolver.ts";

const addressesMax = 8;

type NameLookup = (host: string) => Promise<readonly string[]>;

/**
 * Addresses for probes: those the shields' resolver knows, else by asking the name servers
 * apart from it. A name that takes long holds up no backend's name and no thread.
 */
export class ProbeResolver {
  readonly #known: Pick<BackendResolver, "addresses">;
  readonly #lookup: NameLookup;

  constructor(known: Pick<BackendResolver, "addresses">, lookup: NameLookup = askNameServers) {
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
