import {
  statusDays,
  type OverallState,
  type StatusComponent,
  type StatusDocument,
  type StatusIncident,
  type UptimeDay,
} from "@palisade/contract/http/status-page";
import type { Db } from "#src/platform/database/db.ts";
import { translated } from "#src/features/plans/translations.service.ts";
import { selectLocationNames } from "./incidents.repository.ts";
import { listIncidents } from "./incidents.service.ts";
import {
  consoleComponent,
  locationPrefix,
  selectLocationEdges,
  selectUptime,
} from "./uptime.repository.ts";
import { dayBefore } from "./uptime.service.ts";

/**
 * Everything the status page shows, from the database.
 *
 * @param isWatched whether an edge that is silent is really silent (`Watch`)
 */
export async function readStatus(
  db: Db,
  { now, isWatched }: { readonly now: Date; readonly isWatched: boolean },
): Promise<StatusDocument> {
  const [uptime, edges, names, incidents] = await Promise.all([
    selectUptime(db, dayBefore(now, statusDays - 1)),
    selectLocationEdges(db),
    selectLocationNames(db),
    listIncidents(db, now),
  ]);
  const daysOf = (component: string) =>
    uptime.filter((day) => day.component === component).map(({ component: _, ...day }) => day);
  const locations = names.flatMap((row): StatusComponent[] => {
    const days = daysOf(`${locationPrefix}${row.name}`);
    const found = edges.find(({ location }) => location === row.name);
    // A location that never had an edge is not on the page; one that lost them all is.
    if (found === undefined && days.length === 0) return [];
    const counted = found === undefined ? null : { online: found.online, total: found.wanted };
    return [
      {
        location: row.name,
        name: {
          en: translated(row, "display_name", "en"),
          ru: translated(row, "display_name", "ru"),
        },
        state: locationState(counted, isWatched),
        edges: counted,
        uptime: uptimeOf(days),
        days,
      },
    ];
  });
  const consoleDays = daysOf(consoleComponent);
  const components: StatusComponent[] = [
    ...locations,
    {
      location: null,
      name: { en: "Console and API", ru: "Консоль и API" },
      state: "operational",
      edges: null,
      uptime: uptimeOf(consoleDays),
      days: consoleDays,
    },
  ];
  const open = incidents.filter(({ ended_at }) => ended_at === null);
  const planned = open.filter(({ state }) => state === "scheduled");
  const current = open.filter(({ state }) => state !== "scheduled");
  return {
    generated_at: now.toISOString(),
    state: overallState(components, current),
    components,
    current,
    planned: planned.toReversed(),
    past: incidents.filter(({ ended_at }) => ended_at !== null),
  };
}

function locationState(
  edges: StatusComponent["edges"],
  isWatched: boolean,
): StatusComponent["state"] {
  if (edges === null) return "unknown";
  if (edges.online === edges.total && edges.total > 0) return "operational";
  if (!isWatched && edges.total > 0) return "unknown";
  return edges.online > 0 ? "degraded" : "down";
}

/** Rounded down: 100 is for days without a single minute down. */
export function uptimeOf(days: readonly UptimeDay[]): number | null {
  const up = days.reduce((sum, day) => sum + day.up, 0);
  const down = days.reduce((sum, day) => sum + day.down, 0);
  return up + down === 0 ? null : Math.floor((up * 10_000) / (up + down)) / 100;
}

export function overallState(
  components: readonly StatusComponent[],
  current: readonly StatusIncident[],
): OverallState {
  const states = components.map(({ state }) => state);
  const locations = components.filter(({ location }) => location !== null);
  const areAllDown = locations.length > 0 && locations.every(({ state }) => state === "down");
  const incidents = current.filter(({ kind }) => kind === "incident");
  if (areAllDown || incidents.some(({ impact }) => impact === "major")) return "outage";
  if (states.some((state) => state === "down" || state === "degraded")) return "degraded";
  if (incidents.some(({ impact }) => impact === "minor")) return "degraded";
  return current.some(({ kind }) => kind === "maintenance") ? "maintenance" : "operational";
}

/** A copy that is older than this shows that the database, or the whole api, does not answer. */
export const freshMsMax = 90_000;

/** The document as it is to be shown now: an old one says so of the console and the API. */
export function shownStatus(
  document: StatusDocument,
  now: Date,
): { readonly document: StatusDocument; readonly isStale: boolean } {
  const isStale = now.getTime() - new Date(document.generated_at).getTime() > freshMsMax;
  if (!isStale) return { document, isStale };
  const components = document.components.map((component): StatusComponent => {
    return { ...component, state: component.location === null ? "down" : "unknown" };
  });
  const state = document.state === "outage" ? "outage" : "degraded";
  return { document: { ...document, components, state }, isStale };
}
