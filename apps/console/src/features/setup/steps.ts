import {
  createServerBody,
  normalizeDomain,
  type CreateServerBody,
} from "@palisade/contract/http/servers";
import type { SetupDraft, TypedField } from "./draft.ts";

/** The steps in their order; the number in the address counts from 1. */
export const stepNames = ["plan", "name", "backend", "location", "domain", "confirm"] as const;
export type StepName = (typeof stepNames)[number];
export const stepCount = stepNames.length;

/** The fields of each step, which must be valid before it can be left. */
const stepFields: Record<StepName, readonly TypedField[]> = {
  plan: ["pricing_plan_id"],
  name: ["server_name"],
  // Next on the IP step also requires a valid name.
  backend: ["server_name", "real_ip", "real_port"],
  location: ["location"],
  domain: ["domain"],
  confirm: [],
};

/** The state of the chosen plan and location; undefined until the lists are loaded. */
export interface ChoiceStates {
  /** `short`: the balance does not cover it. */
  readonly plan: "open" | "short" | "gone" | undefined;
  readonly location: "open" | "gone" | undefined;
}

export type FieldIssues = Partial<Record<TypedField, string>>;

export function clampStep(step: number | undefined): number {
  if (step === undefined || Number.isNaN(step)) return 1;
  return Math.min(stepCount, Math.max(1, Math.trunc(step)));
}

/** Text keys of the fields' issues, by the contract's rules. */
export function issuesOf(draft: SetupDraft, fields: readonly TypedField[]): FieldIssues {
  const values = valuesOf(draft);
  return Object.fromEntries(
    fields.flatMap((field) => {
      const issue = createServerBody.shape[field].safeParse(values[field]).error?.issues[0];
      return issue === undefined ? [] : [[field, issue.message]];
    }),
  );
}

export function issuesOfStep(draft: SetupDraft, step: StepName): FieldIssues {
  return issuesOf(draft, stepFields[step]);
}

/** Converts a numeric port; the schema refuses anything else. */
function valuesOf(draft: SetupDraft) {
  const port = draft.real_port.trim();
  const numeric = /^\d{1,9}$/.test(port) ? Number(port) : port;
  return { ...draft, real_port: port === "" ? undefined : numeric };
}

export function portOf(draft: SetupDraft): number {
  return Number(draft.real_port.trim());
}

/** Whether the domain is one that was found free. */
export function isDomainFree({ domain, free_domain: free }: SetupDraft): boolean {
  return free !== null && normalizeDomain(domain) === free;
}

/**
 * The step to show for the one in the address: all steps before it must be complete. Unknown states
 * count as complete, so that a slow list sends no user back.
 */
export function reachableStep(wanted: number, draft: SetupDraft, offer: ChoiceStates): number {
  const first = stepNames.findIndex((name) => !isComplete(name, draft, offer, wanted));
  return first === -1 ? wanted : Math.min(wanted, first + 1);
}

function isComplete(
  name: StepName,
  draft: SetupDraft,
  offer: ChoiceStates,
  wanted: number,
): boolean {
  if (Object.keys(issuesOfStep(draft, name)).length > 0) return false;
  // The confirmation itself shows missing funds and the top-up button.
  if (name === "plan") {
    return offer.plan !== "gone" && (offer.plan !== "short" || wanted === stepCount);
  }
  if (name === "location") return offer.location !== "gone";
  if (name === "domain") return isDomainFree(draft) && draft.cname_record !== null;
  return true;
}

/** The first step that has the field, so that a refused value can be corrected. */
export function stepOfField(path: string): number | null {
  if (path === "cname_record") return stepNames.indexOf("domain") + 1;
  const index = stepNames.findIndex((name) => stepFields[name].some((field) => field === path));
  return index === -1 ? null : index + 1;
}

export type Submission =
  | { readonly ok: true; readonly body: CreateServerBody }
  | { readonly ok: false; readonly issues: FieldIssues & { readonly cname_record?: string } };

/** The request body, or the issues that prevent it. */
export function toSubmission(draft: SetupDraft): Submission {
  const parsed = createServerBody.safeParse({
    ...valuesOf(draft),
    expected_price_cents: draft.price_cents ?? undefined,
  });
  if (parsed.success) return { ok: true, body: parsed.data };
  const issues: Record<string, string> = {};
  // The first issue of a field is the most useful: an empty value is also malformed.
  for (const { path, message } of parsed.error.issues) issues[String(path[0])] ??= message;
  return { ok: false, issues };
}
