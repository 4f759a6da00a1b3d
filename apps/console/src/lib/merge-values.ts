/** The values that differ from before, which a save sends. */
export function changedValues<V extends object>(before: V, after: V): Partial<V> {
  const was = new Map(Object.entries(before));
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(was.get(name)) !== JSON.stringify(value);
  // `Object.fromEntries` loses the type of the entries.
  return Object.fromEntries(Object.entries(after).filter(isChanged)) as Partial<V>;
}

/** The form after another read: typed changes stay, other fields take the stored value. */
export function mergeValues<V extends object>(before: V, typed: V, stored: V): V {
  return { ...stored, ...changedValues(before, typed) };
}

/**
 * Compares a refused save with the stored version: `mine` still has to be saved, `theirs` was set to
 * a different value by other users. Values that are equal on both sides are in neither.
 */
export function mergeConflict<V extends object>(before: V, sent: V, stored: V) {
  const merged = mergeValues(before, sent, stored);
  const apart = changedValues(sent, stored);
  const theirs = Object.entries(changedValues(before, stored)).filter(([name]) => name in apart);
  return {
    merged,
    mine: changedValues(stored, merged),
    theirs: Object.fromEntries(theirs) as Partial<V>,
  };
}

export function isEmpty(values: object): boolean {
  return Object.keys(values).length === 0;
}
