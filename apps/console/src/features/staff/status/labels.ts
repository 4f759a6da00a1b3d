import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type {
  IncidentImpact,
  IncidentState,
  StatusIncident,
} from "@palisade/contract/http/status-page";
import type { Tone } from "#src/ui/status.tsx";

export const stateLabels: Readonly<Record<IncidentState, MessageDescriptor>> = {
  investigating: msg`Investigating`,
  identified: msg`Cause found`,
  monitoring: msg`Watching the fix`,
  resolved: msg`Resolved`,
  scheduled: msg`Planned`,
  in_progress: msg`In progress`,
  completed: msg`Completed`,
  cancelled: msg`Cancelled`,
};

export const impactLabels: Readonly<Record<IncidentImpact, MessageDescriptor>> = {
  none: msg`None: the overall state stays`,
  minor: msg`Minor: some parts do not work as they should`,
  major: msg`Major: a large part does not work`,
};

export function toneOf({ kind, impact, ended_at }: StatusIncident): Tone {
  if (ended_at !== null) return "protected";
  if (kind === "maintenance") return "idle";
  return impact === "major" ? "danger" : "attack";
}
