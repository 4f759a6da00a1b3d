/** Replays of one process at a time: each keeps a core busy for some seconds. */
const perProcessMax = 2;

/** Limits how many replays a process runs: one of each shield, and few of all together. */
export function createReplayPlaces() {
  const shields = new Set<string>();
  return {
    /** @returns gives the place back; undefined where there is none */
    take(shieldId: string): (() => void) | undefined {
      if (shields.has(shieldId) || shields.size >= perProcessMax) return undefined;
      shields.add(shieldId);
      return () => void shields.delete(shieldId);
    },
  };
}
