/** Values that differ, with the new one: what a save sends. */
export function changedValues<V extends object>(before: V, after: V): Partial<V> {
  const was = new Map(Object.entries(before));
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(was.get(name)) !== JSON.stringify(value);
  // Entries of `after`: `Object.fromEntries` cannot know.
  return Object.fromEntries(Object.entries(after).filter(isChanged)) as Partial<V>;
}

/** The form after another read: what is typed other than it was stays, the rest is as stored. */
export function mergeValues<V extends object>(before: V, typed: V, stored: V): V {
  return { ...stored, ...changedValues(before, typed) };
}

/**
 * What a save amounts to that others were faster than: `mine` is still to be saved, `theirs` is what
 * they have set to something else than was sent. Alike on both sides is neither.
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
