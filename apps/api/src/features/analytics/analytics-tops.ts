import { analyticsTopMax, type Analytics } from "@palisade/contract/http/analytics";
import { versionOfProtocol } from "#src/features/minecraft/protocol-names.service.ts";

type Tops = Pick<Analytics, "versions" | "protocols" | "countries" | "networks">;

/**
 * Lists of what players joined with, the largest first.
 *
 * @param tops joins by the keys of `MinuteDetails.tops`
 */
export function topsOf(
  tops: ReadonlyMap<string, number>,
  has: { readonly countries: boolean; readonly networks: boolean },
): Tops {
  const protocols = ofKind(tops, "p:");
  const versions = new Map<string, number>();
  for (const [protocol, joins] of protocols) {
    const version = (protocol !== "" && versionOfProtocol(Number(protocol))) || "";
    versions.set(version, (versions.get(version) ?? 0) + joins);
  }
  return {
    versions: largest(versions).map(([name, joins]) => ({ version: name || null, joins })),
    protocols: largest(protocols).map(([name, joins]) => ({
      protocol: name === "" ? null : Number(name),
      joins,
    })),
    countries: has.countries
      ? largest(ofKind(tops, "c:")).map(([name, joins]) => ({ country: name || null, joins }))
      : null,
    networks: has.networks ? largest(ofKind(tops, "n:")).map(presentNetwork) : null,
  };
}

function ofKind(tops: ReadonlyMap<string, number>, kind: string): Map<string, number> {
  const found = [...tops].filter(([key]) => key.startsWith(kind));
  return new Map(found.map(([key, joins]) => [key.slice(kind.length), joins]));
}

/** The entry without a name is for all others, and comes last. */
function largest(counts: ReadonlyMap<string, number>): [string, number][] {
  const named = [...counts].filter(([name]) => name !== "").toSorted(byCount);
  const others = named
    .slice(analyticsTopMax)
    .reduce((sum, [, count]) => sum + count, counts.get("") ?? 0);
  const shown = named.slice(0, analyticsTopMax);
  return others === 0 ? shown : [...shown, ["", others]];
}

function byCount([nameA, a]: [string, number], [nameB, b]: [string, number]): number {
  return b - a || (nameA < nameB ? -1 : 1);
}

function presentNetwork([name, joins]: [string, number]) {
  const [, asn, operator] = /^(\d+) ?(.*)$/.exec(name) ?? [];
  return { asn: asn === undefined ? null : Number(asn), name: operator ?? null, joins };
}
