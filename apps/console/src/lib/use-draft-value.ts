import { useState } from "react";

/** What is being typed over a value that is kept elsewhere; another value there replaces it. */
export function useDraftValue(value: string): [typed: string, type: (typed: string) => void] {
  const [draft, setDraft] = useState({ over: value, typed: value });
  const type = (typed: string) => setDraft({ over: value, typed });
  return [draft.over === value ? draft.typed : value, type];
}
