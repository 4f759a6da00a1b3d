import type { LabelledRanges, VpnLabel, VpnTable } from "#src/protection/vpn-lookup.ts";
import { overlaid, relabelled } from "./range-writer.ts";
import { flagKinds, type SourceImage } from "./source-image.ts";

/**
 * One table of all files. Of an address in several, lists in their order are told before flags, and
 * these before AS numbers.
 */
export function combine(images: readonly SourceImage[]): VpnTable {
  const labels = new Labels();
  const listed = listedAsns(images);
  const layers = byKind(images).map((image) => {
    const labelOf = labelsOf(image, labels, listed);
    return {
      ranges4: relabelled(image.ranges4, 1, labelOf),
      ranges6: relabelled(image.ranges6, 4, labelOf),
    };
  });
  return {
    ranges4: layers.map(({ ranges4 }) => ranges4).reduce(over1, relabelled(nothing, 1, noLabel)),
    ranges6: layers.map(({ ranges6 }) => ranges6).reduce(over4, relabelled(nothing, 4, noLabel)),
    labels: labels.all,
  };
}

const empty = new Uint32Array(0);
const nothing = { count: 0, firsts: empty, lasts: empty };
const noLabel = (): undefined => undefined;
const over1 = (upper: LabelledRanges, lower: LabelledRanges) => overlaid(upper, lower, 1);
const over4 = (upper: LabelledRanges, lower: LabelledRanges) => overlaid(upper, lower, 4);

function byKind(images: readonly SourceImage[]): SourceImage[] {
  return (["list", "flags", "asn"] as const).flatMap((kind) =>
    images.filter((image) => image.kind === kind),
  );
}

/** AS numbers with the first list that names each. */
function listedAsns(images: readonly SourceImage[]): ReadonlyMap<number, string> {
  const listed = new Map<number, string>();
  for (const { name, asns } of images) {
    for (const asn of asns) if (!listed.has(asn)) listed.set(asn, name);
  }
  return listed;
}

function labelsOf(
  { kind, name }: SourceImage,
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
