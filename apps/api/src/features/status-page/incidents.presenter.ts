import type { StatusIncident } from "@palisade/contract/http/status-page";
import type { IncidentRow, UpdateRow } from "./incidents.repository.ts";

/** @param updates the newest first */
export function presentIncident(row: IncidentRow, updates: readonly UpdateRow[]): StatusIncident {
  return {
    id: row.id,
    kind: row.kind,
    impact: row.impact,
    state: row.state,
    title: { en: row.title_en, ru: row.title_ru },
    locations: row.locations,
    affects_console: row.affects_console,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    updates: updates
      .filter(({ incident_id }) => incident_id === row.id)
      .map(({ created_at, state, text_en, text_ru }) => ({
        at: created_at.toISOString(),
        state,
        text: { en: text_en, ru: text_ru },
      })),
  };
}
