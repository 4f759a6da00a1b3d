/** Geometry of the graphs, apart from their drawing. Values are never negative. */

export interface Box {
  readonly width: number;
  readonly height: number;
}

/** The next round number, as the top of an axis. */
export function niceCeiling(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((candidate) => candidate * power >= value) ?? 10;
  return step * power;
}

export function points(
  values: readonly number[],
  top: number,
  { width, height }: Box,
): (readonly [number, number])[] {
  const last = Math.max(1, values.length - 1);
  return values.map((value, index) => [
    round((index / last) * width),
    round(height - (Math.min(value, top) / top) * height),
  ]);
}

export function linePath(path: readonly (readonly [number, number])[]): string {
  return path.map(([x, y], index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join("");
}

export function areaPath(path: readonly (readonly [number, number])[], { height }: Box): string {
  const first = path[0];
  const last = path.at(-1);
  if (!first || !last) return "";
  return `${linePath(path)}L${last[0]} ${height}L${first[0]} ${height}Z`;
}

/** Index of the value nearest to `x`. */
export function nearestIndex(x: number, width: number, length: number): number {
  if (length < 2 || width <= 0) return 0;
  return Math.min(length - 1, Math.max(0, Math.round((x / width) * (length - 1))));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
