import { create } from "zustand";

const key = "setup_draft";

/** What an owner types in the wizard, as typed: a port of letters is kept and refused, not lost. */
export const typedFields = [
  "pricing_plan_id",
  "server_name",
  "real_ip",
  "real_port",
  "location",
  "domain",
] as const;
export type TypedField = (typeof typedFields)[number];

/** A submit that may have reached the server: it is repeated under its own key only. */
export interface UnansweredSubmit {
  readonly key: string;
  readonly body: string;
}

export interface SetupDraft extends Readonly<Record<TypedField, string>> {
  /** The CNAME target reserved for this shield; records may point at it already. */
  readonly cname_record: string | null;
  /** The domain that was last found free, in the form it is stored. */
  readonly free_domain: string | null;
  /** The price that was last shown and accepted: buying at another asks again. */
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

/** Of this tab only; kept for a reload or an ended session in between. */
export const useDraft = create<Store>()(() => ({ owner: null, draft: emptyDraft }));

/** Takes up what this person typed in this tab before; another person starts afresh. */
export function openDraft(owner: string): void {
  useDraft.setState({ owner, draft: parseDraft(sessionStorage.getItem(key), owner) });
}

export function changeDraft(change: Partial<SetupDraft>): void {
  useDraft.setState(({ draft }) => ({ draft: { ...draft, ...change } }));
  const { owner, draft } = useDraft.getState();
  sessionStorage.setItem(key, JSON.stringify({ ...draft, owner }));
}

/** After the purchase. The page shows it until it is left, so the memory of it stays until then. */
export function clearStoredDraft(): void {
  sessionStorage.removeItem(key);
}

/** Takes over what fits: a draft of an older version of the console must not break the wizard. */
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

/** Ports were numbers once. */
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
