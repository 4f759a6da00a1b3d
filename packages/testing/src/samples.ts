/**
 * `npm run soak -- whole` tests everything in every appearance, language and version. `npm test`
 * takes samples where the code is the same in all of them.
 */
export const isWhole = (): boolean => process.env["PALISADE_WHOLE"] === "yes";

/**
 * Each item belongs to one of two groups, by turns.
 *
 * @param group 0 or 1
 */
export function byTurns<T>(items: readonly T[], group: number): readonly T[] {
  return items.filter((_, index) => isWhole() || index % 2 === group);
}
