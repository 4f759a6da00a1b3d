import { create } from "zustand";

const key = "setup_draft";

/** The owner's entries as typed: an invalid port is kept and refused, not lost. */
export const typedFields = [
  "pricing_plan_id",
  "server_name",
  "real_ip",
  "real_port",
  "location",
  "domain",
] as const;
export type TypedField = (typeof typedFields)[number];

/** A submit that may have reached the server; it is repeated only with the same key. */
export interface UnansweredSubmit {
  readonly key: string;
  readonly body: string;
}

export interface SetupDraft extends Readonly<Record<TypedField, string>> {
  /** The CNAME target reserved for this shield; records may point at it already. */
  readonly cname_record: string | null;
  /** The last domain found free, in stored form. */
  readonly free_domain: string | null;
  /** The last price the user saw and accepted; another price must be accepted again. */
  readonly price_cents: number | null;
  readonly submit: UnansweredSubmit | null;
}

export const emptyDraft: SetupDraft = {
  pricing_plan_id: "",
  server_name: "",
  real_ip: "",
  real_port: "25565",
  location: "",
  domain: "",
  cname_record: null,
  free_domain: null,
  price_cents: null,
  submit: null,
};

interface Store {
  readonly owner: string | null;
  readonly draft: SetupDraft;
}

/** Kept for this tab only; survives a reload and the end of a session. */
export const useDraft = create<Store>()(() => ({ owner: null, draft: emptyDraft }));

/** Restores this user's draft in this tab; another user starts with an empty one. */
export function openDraft(owner: string): void {
  useDraft.setState({ owner, draft: parseDraft(sessionStorage.getItem(key), owner) });
}

export function changeDraft(change: Partial<SetupDraft>): void {
  useDraft.setState(({ draft }) => ({ draft: { ...draft, ...change } }));
  const { owner, draft } = useDraft.getState();
  sessionStorage.setItem(key, JSON.stringify({ ...draft, owner }));
}

/** Called after the purchase. The page still shows the draft, so it stays in memory. */
export function clearStoredDraft(): void {
  sessionStorage.removeItem(key);
}

/** Keeps valid values only: a draft of an older console version must not break the wizard. */
export function parseDraft(stored: string | null, owner: string): SetupDraft {
  const draft = asRecord(stored);
  if (typeof draft["owner"] === "string" && draft["owner"] !== owner) return emptyDraft;
  const typed = typedFields.map((field) => [field, asText(draft[field]) ?? emptyDraft[field]]);
  const price = draft["price_cents"];
  return {
    ...emptyDraft,
    ...(Object.fromEntries(typed) as Record<TypedField, string>),
    cname_record: asText(draft["cname_record"]),
    free_domain: asText(draft["free_domain"]),
    price_cents: typeof price === "number" && Number.isSafeInteger(price) ? price : null,
    submit: asSubmit(draft["submit"]),
  };
}

function asRecord(stored: string | null): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(stored ?? "null");
    return parsed instanceof Object ? Object.fromEntries(Object.entries(parsed)) : {};
  } catch {
    return {};
  }
}

/** Older drafts stored ports as numbers. */
function asText(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value : null;
}

function asSubmit(value: unknown): UnansweredSubmit | null {
  if (!(value instanceof Object) || !("key" in value) || !("body" in value)) return null;
  const { key: submitKey, body } = value;
  return typeof submitKey === "string" && typeof body === "string"
    ? { key: submitKey, body }
    : null;
}
