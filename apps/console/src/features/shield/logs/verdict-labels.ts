import { msg } from "@lingui/core/macro";
import type { MessageDescriptor } from "@lingui/core";
import type { LogEntry } from "@palisade/contract/http/logs";
import type { Tone } from "#src/ui/status.tsx";
import { refusalLabels } from "../mitigation/refusal-labels.ts";

type Verdict = LogEntry["verdict"];

/** Short, for the list: the details have the reason in words. */
export const verdictLabels: Readonly<Record<Verdict, MessageDescriptor>> = {
  joined: msg`Joined`,
  verified: msg`Verified`,
  left: msg`Left`,
  ...refusalLabels,
};

/** Choices of the filter: groups first. */
export const verdictChoices = {
  admitted: msg`All let in`,
  refused: msg`All refused`,
  shadowed: msg`Let in by shadow mode`,
  ...verdictLabels,
} as const;

export function isVerdictChoice(value: string | undefined): value is keyof typeof verdictChoices {
  return value !== undefined && Object.hasOwn(verdictChoices, value);
}

export function toneOf({ verdict, shadow }: Pick<LogEntry, "verdict" | "shadow">): Tone {
  if (shadow) return "attack";
  if (verdict === "joined" || verdict === "verified") return "protected";
  return verdict === "left" ? "idle" : "danger";
}
