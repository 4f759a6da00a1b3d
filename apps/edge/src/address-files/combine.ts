import type { VpnLabel, VpnTable } from "#src/rules/address-lookups.ts";
import { vpnLimits } from "./limits.ts";
import { overlaid, relabelled, TooManyRanges } from "./range-writer.ts";
import { flagKinds, type ParsedList } from "./parsed-list.ts";

export interface Combined {
  readonly table: VpnTable;
  /** Names of files that did not fit beside the others. */
  readonly leftOut: readonly string[];
}

/**
 * Combines all files into one table. If an address is in several, lists in their order come before
 * flags, and flags before AS numbers.
 *
 * @param rangesMax of one family
 */
export function combine(
  images: readonly ParsedList[],
  rangesMax: number = vpnLimits.rangesMax,
): Combined {
  const labels = new Labels();
  const listed = listedAsns(images);
  const leftOut: string[] = [];
  let all: Ranges = {
    ranges4: relabelled(nothing, 1, noLabel),
    ranges6: relabelled(nothing, 4, noLabel),
  };
  for (const image of byKind(images)) {
    const both = withImage(all, image, labelsOf(image, labels, listed), rangesMax);
    if (both === undefined) leftOut.push(image.name);
    else all = both;
  }
  return { table: { ...all, labels: labels.all }, leftOut };
}

type Ranges = Pick<VpnTable, "ranges4" | "ranges6">;

const empty = new Uint32Array(0);
const nothing = { count: 0, firsts: empty, lasts: empty };
const noLabel = (): undefined => undefined;

/** Undefined if there is no room for it. */
function withImage(
  { ranges4, ranges6 }: Ranges,
  image: ParsedList,
  labelOf: (label: number) => number | undefined,
  max: number,
): Ranges | undefined {
  try {
    return {
      ranges4: overlaid(ranges4, relabelled(image.ranges4, 1, labelOf), 1, max),
      ranges6: overlaid(ranges6, relabelled(image.ranges6, 4, labelOf), 4, max),
    };
  } catch (error) {
    if (error instanceof TooManyRanges) return undefined;
    throw error;
  }
}

function byKind(images: readonly ParsedList[]): ParsedList[] {
  return (["list", "flags", "asn"] as const).flatMap((kind) =>
    images.filter((image) => image.kind === kind),
  );
}

/** AS numbers with the first list that names each. */
function listedAsns(images: readonly ParsedList[]): ReadonlyMap<number, string> {
  const listed = new Map<number, string>();
  for (const { name, asns } of images) {
    for (const asn of asns) if (!listed.has(asn)) listed.set(asn, name);
  }
  return listed;
}

function labelsOf(
  { kind, name }: ParsedList,
  labels: Labels,
  listed: ReadonlyMap<number, string>,
): (label: number) => number | undefined {
  switch (kind) {
    case "list": {
      return () => labels.numberOf({ list: name });
    }
    case "flags": {
      return (flag) => labels.numberOf({ list: name, kind: flagKinds[flag]?.[1] ?? "anonymous" });
    }
    case "asn": {
      return (asn) => {
        const list = listed.get(asn);
        return list === undefined ? undefined : labels.numberOf({ list, asn });
      };
    }
  }
}

class Labels {
  readonly all: VpnLabel[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(label: VpnLabel): number {
    const key = `${label.asn ?? ""} ${label.kind ?? ""} ${label.list}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.all.push(label) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }
}
