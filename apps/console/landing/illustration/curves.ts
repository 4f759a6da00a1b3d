const samples = 120;

/** Share of the height at `at` (0 to 1) of the time shown. */
type Curve = (at: number) => number;

/** Noise that is the same on every visit, so that pictures of the page can be compared. */
function noise(at: number): number {
  return (Math.sin(at * 151) + Math.sin(at * 263 + 1) + Math.sin(at * 419 + 2)) / 3;
}

export const refusedAt: Curve = (at) => {
  const flood = smoothStep(0.44, 0.68, at) * (1 - smoothStep(0.74, 0.93, at));
  return 0.06 + flood * (0.8 + 0.06 * noise(at)) + 0.008 * noise(at + 0.3);
};

export const playersAt: Curve = (at) => 0.74 + 0.07 * Math.sin(at * 9) + 0.025 * noise(at + 0.6);

/** As the `d` of a path, the origin at the top left. */
export function curveOf(curve: Curve, width: number, height: number): string {
  const points = Array.from({ length: samples + 1 }, (_, index) => {
    const at = index / samples;
    return `${(at * width).toFixed(1)} ${((1 - curve(at)) * height).toFixed(1)}`;
  });
  return `M${points.join("L")}`;
}

function smoothStep(from: number, to: number, at: number): number {
  const share = Math.min(1, Math.max(0, (at - from) / (to - from)));
  return share * share * (3 - 2 * share);
}
