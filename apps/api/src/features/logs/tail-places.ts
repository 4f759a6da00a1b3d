/** Live tails of one user: some tabs on some shields. */
const perUserMax = 4;
/** Each asks the database some times a second. */
const perProcessMax = 200;

/** Limits how many live tails a process serves. */
export function createTailPlaces() {
  const byUser = new Map<string, number>();
  let all = 0;
  return {
    /** @returns gives the place back; undefined where there is none */
    take(userId: string): (() => void) | undefined {
      const own = byUser.get(userId) ?? 0;
      if (own >= perUserMax || all >= perProcessMax) return undefined;
      byUser.set(userId, own + 1);
      all += 1;
      return () => {
        all -= 1;
        const left = (byUser.get(userId) ?? 1) - 1;
        if (left > 0) byUser.set(userId, left);
        else byUser.delete(userId);
      };
    },
  };
}
