/** Names of versions of the game, oldest first. */
export type Versions = readonly string[];

export interface Range {
  readonly min: string;
  readonly max: string;
}

/** Offered if the maintained list cannot be read. */
export const fallbackVersions: Versions = [
  "1.5.2",
  "1.6.4",
  "1.7.10",
  "1.8",
  "1.8.8",
  "1.9.4",
  "1.10.2",
  "1.11.2",
  "1.12.2",
  "1.13.2",
  "1.14.4",
  "1.15.2",
  "1.16.5",
  "1.17.1",
  "1.18.2",
  "1.19.4",
  "1.20.4",
  "1.20.6",
  "1.21",
  "1.21.1",
  "1.21.8",
];

/** Older versions are refused unless the owner allows them. */
export const oldestSupported = "1.8";

/** Adds the stored versions to the list, so that a short list hides no choice. */
export function versionsWith(versions: Versions, { min, max }: Range): Versions {
  return [min, max].reduce<Versions>((known, version) => {
    if (known.includes(version)) return known;
    const later = known.findIndex((each) => isLater(each, version));
    return known.toSpliced(later === -1 ? known.length : later, 0, version);
  }, versions);
}

/** Puts the earlier version first. */
export function orderedRange(versions: Versions, { min, max }: Range): Range {
  return versions.indexOf(min) > versions.indexOf(max) ? { min: max, max: min } : { min, max };
}

/** A new lower end moves an upper end that would be below it. */
export function rangeFrom(versions: Versions, range: Range, min: string): Range {
  return { min, max: versions.indexOf(range.max) < versions.indexOf(min) ? min : range.max };
}

export function isUnsupported(versions: Versions, version: string): boolean {
  return versions.indexOf(version) < versions.indexOf(oldestSupported);
}

export function lowerEnds(versions: Versions, allowsUnsupported: boolean): Versions {
  return allowsUnsupported ? versions : versions.slice(versions.indexOf(oldestSupported));
}

export function upperEnds(versions: Versions, { min }: Range): Versions {
  return versions.slice(versions.indexOf(min));
}

/** Compares the numbers in the names; only for versions that are not in the list. */
function isLater(version: string, other: string): boolean {
  const numbers = (name: string) => name.split(".").map(Number);
  const [a, b] = [numbers(version), numbers(other)];
  const apart = [0, 1, 2].find((place) => (a[place] ?? 0) !== (b[place] ?? 0));
  return apart !== undefined && (a[apart] ?? 0) > (b[apart] ?? 0);
}
