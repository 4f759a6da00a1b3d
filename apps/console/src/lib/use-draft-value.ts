import { useState } from "react";

/** The user's entry over a value kept elsewhere; a new value there replaces the entry. */
export function useDraftValue(value: string): [typed: string, type: (typed: string) => void] {
  const [draft, setDraft] = useState({ over: value, typed: value });
  const type = (typed: string) => setDraft({ over: value, typed });
  return [draft.over === value ? draft.typed : value, type];
}
