type Values = Readonly<Record<string, string>>;

/** Texts that are not sent yet, kept for this tab: a reload loses nothing. Files cannot be kept. */
export interface Draft<V extends Values> {
  read(owner: string): V;
  store(owner: string, values: V): void;
  clear(): void;
}

/** `empty` names the fields; all of them are texts. */
export function draftOf<V extends Values>(key: string, empty: V): Draft<V> {
  return {
    read: (owner) => parseDraft(sessionStorage.getItem(key), owner, empty),
    store(owner, values) {
      const isEmpty = Object.entries(values).every(([name, value]) => value === empty[name]);
      if (isEmpty) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, JSON.stringify({ ...values, owner }));
    },
    clear: () => sessionStorage.removeItem(key),
  };
}

/** Another user's draft, or one of an older console, is left aside. */
export function parseDraft<V extends Values>(stored: string | null, owner: string, empty: V): V {
  const draft = asRecord(stored);
  if (draft["owner"] !== owner) return empty;
  const fields = Object.entries(empty).map(([name, value]) => {
    const kept = draft[name];
    return [name, typeof kept === "string" ? kept : value];
  });
  return Object.fromEntries(fields) as V;
}

function asRecord(stored: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(stored ?? "{}");
    return value instanceof Object ? { ...value } : {};
  } catch {
    return {};
  }
}
