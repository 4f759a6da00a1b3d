import { isIP } from "node:net";
import { parseIp } from "@palisade/minecraft-protocol/proxy/address";
import { proofRecordPrefix } from "@palisade/contract/http/backends";
import type { DnsAnswer, DnsLookup, DnsQuery } from "./dns-lookup.ts";
import type { DnsLookupCaller } from "./dns-lookup-limiter.ts";

export type { DnsLookup, DnsLookupCaller };

/** Addresses of a host, and names of an address, that are looked at. */
const addressesMax = 4;
const namesMax = 4;

export interface ReverseRecords {
  /** The address with the record; undefined if none has one. */
  readonly proven: string | undefined;
  /** Names under which a record would prove an address of the host. */
  readonly names: readonly string[];
}

/**
 * Looks for a TXT record below the name that an address has in reverse DNS. Anyone can point a name
 * of theirs to a stranger's address, so a record at that name proves nothing; the name in reverse
 * DNS is set by those who hold the address. Never throws.
 *
 * @param host IP address or name
 */
export async function findReverseRecord(
  lookup: DnsLookup,
  { host, value }: { readonly host: string; readonly value: string },
  by: DnsLookupCaller,
): Promise<ReverseRecords> {
  const views = await lookup.each(by, (ask) => lookFrom(ask, host, value));
  const names = new Set(views.flatMap((view) => view.names));
  return { proven: views.find(({ proven }) => proven !== undefined)?.proven, names: [...names] };
}

async function lookFrom(ask: DnsQuery, host: string, value: string): Promise<ReverseRecords> {
  const addresses = await addressesOf(ask, host);
  const found = await Promise.all(
    addresses.map(async (address) => ({ address, ...(await recordOf(ask, address, value)) })),
  );
  return {
    proven: found.find(({ isProven }) => isProven)?.address,
    names: found.flatMap(({ names }) => names),
  };
}

async function addressesOf(ask: DnsQuery, host: string): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  const [a, aaaa] = await Promise.all([ask(host, "A"), ask(host, "AAAA")]);
  return [...valuesOf(a), ...valuesOf(aaaa)].slice(0, addressesMax);
}

async function recordOf(ask: DnsQuery, address: string, value: string) {
  const name = reverseName(address);
  const pointers = name === undefined ? [] : valuesOf(await ask(name, "PTR"));
  const names = pointers.slice(0, namesMax).map((pointer) => `${proofRecordPrefix}${pointer}`);
  const texts = await Promise.all(names.map(async (each) => valuesOf(await ask(each, "TXT"))));
  return { names, isProven: texts.flat().includes(value) };
}

/** The name of an address in reverse DNS: RFC 1035, 3.5, and RFC 3596, 2.5. */
export function reverseName(address: string): string | undefined {
  const bytes = parseIp(address);
  if (bytes === undefined) return undefined;
  if (bytes.length === 4) return `${[...bytes].toReversed().join(".")}.in-addr.arpa`;
  const digits = [...bytes].flatMap((byte) => [...byte.toString(16).padStart(2, "0")]);
  return `${digits.toReversed().join(".")}.ip6.arpa`;
}

function valuesOf(answer: DnsAnswer): readonly string[] {
  return answer.kind === "records" ? answer.values : [];
}
