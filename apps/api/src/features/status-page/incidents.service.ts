import type {
  addUpdateBody,
  createIncidentBody,
  updateIncidentBody,
} from "@palisade/contract/http/staff-status";
import {
  incidentStates,
  isEnded,
  type IncidentState,
  type StatusIncident,
} from "@palisade/contract/http/status-page";
import type { z } from "zod";
import type { Bus } from "#src/platform/database/bus.ts";
import type { Db, Executor, Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import type { Jobs } from "#src/platform/jobs/jobs.ts";
import { requireKnownLocation } from "#src/features/plans/plans.service.ts";
import { presentIncident } from "./incidents.presenter.ts";
import {
  changeIncident,
  insertIncident,
  insertUpdate,
  lockDueMaintenances,
  lockIncident,
  selectIncident,
  selectIncidents,
  selectUpdates,
  type IncidentRow,
} from "./incidents.repository.ts";
import { maintenanceTexts } from "./maintenance-texts.ts";

/** Notified when an incident changes, so that every process shows it at once. */
export const statusChannel = "palisade_status";
export const announceJob = "status.announce";

export interface IncidentDeps {
  readonly bus: Pick<Bus, "notify">;
  readonly jobs: Jobs;
}

const historyMs = 90 * 86_400_000;
/** More are not shown; each page would be longer than anyone reads. */
const incidentsMax = 200;

/** Those that have not ended or ended within 90 days; the newest start comes first. */
export async function listIncidents(db: Executor, now: Date): Promise<StatusIncident[]> {
  const rows = await selectIncidents(db, new Date(now.getTime() - historyMs), incidentsMax);
  const updates = await selectUpdates(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => presentIncident(row, updates));
}

export async function readIncident(db: Executor, id: string): Promise<StatusIncident> {
  const row = await selectIncident(db, id);
  if (row === undefined) throw new DomainError("not_found");
  return presentIncident(row, await selectUpdates(db, [id]));
}

/** @throws DomainError `location_unavailable` where a location is not known */
export async function createIncident(
  deps: IncidentDeps,
  trx: Trx,
  body: z.output<typeof createIncidentBody>,
  now: Date,
): Promise<StatusIncident> {
  for (const location of body.locations) await requireKnownLocation(trx, location);
  const id = newId();
  await insertIncident(trx, {
    id,
    kind: body.kind,
    impact: body.impact,
    state: body.state,
    title_en: body.title_en,
    title_ru: body.title_ru,
    locations: [...new Set(body.locations)],
    affects_console: body.affects_console,
    starts_at: body.starts_at === undefined ? now : new Date(body.starts_at),
    ends_at: typeof body.ends_at === "string" ? new Date(body.ends_at) : null,
    ended_at: isEnded(body.state) ? now : null,
    created_at: now,
  });
  await publish(deps, trx, { id, ...body }, now);
  return readIncident(trx, id);
}

/**
 * Changes what it says of itself, without telling the subscribers.
 *
 * @throws DomainError `not_found`, `location_unavailable`
 */
export async function updateIncident(
  deps: IncidentDeps,
  trx: Trx,
  id: string,
  body: z.output<typeof updateIncidentBody>,
): Promise<StatusIncident> {
  const row = await lockIncident(trx, id);
  if (row === undefined) throw new DomainError("not_found");
  for (const location of body.locations) await requireKnownLocation(trx, location);
  const starts_at = body.starts_at === undefined ? row.starts_at : new Date(body.starts_at);
  const ends_at = endOf(row, body.ends_at);
  if (row.kind === "maintenance" && ends_at === null) throw fieldError("ends_at", "required");
  if (ends_at !== null && ends_at <= starts_at) throw fieldError("ends_at", "to.after_from");
  await changeIncident(trx, id, {
    impact: body.impact,
    title_en: body.title_en,
    title_ru: body.title_ru,
    locations: [...new Set(body.locations)],
    affects_console: body.affects_console,
    starts_at,
    ends_at,
  });
  await deps.bus.notify(trx, statusChannel, id);
  return readIncident(trx, id);
}

function endOf(row: IncidentRow, given: string | null | undefined): Date | null {
  if (given === undefined) return row.ends_at;
  return given === null ? null : new Date(given);
}

/**
 * Publishes an update, and tells the subscribers. An incident that has ended takes no update: a new
 * one says more than an old one that begins again.
 *
 * @throws DomainError `not_found`, `conflict` where it has ended
 */
export async function addUpdate(
  deps: IncidentDeps,
  trx: Trx,
  id: string,
  body: z.output<typeof addUpdateBody>,
  now: Date,
): Promise<StatusIncident> {
  const row = await lockIncident(trx, id);
  if (row === undefined) throw new DomainError("not_found");
  if (row.ended_at !== null) throw new DomainError("conflict");
  if (!incidentStates[row.kind].some((state) => state === body.state)) {
    throw fieldError("state", "status.invalid");
  }
  await changeIncident(trx, id, {
    state: body.state,
    ended_at: isEnded(body.state) ? now : null,
  });
  await publish(deps, trx, { id, ...body }, now);
  return readIncident(trx, id);
}

interface Update {
  /** The id of the incident. */
  readonly id: string;
  readonly state: IncidentState;
  readonly text_en: string;
  readonly text_ru: string;
}

async function publish(
  { bus, jobs }: IncidentDeps,
  trx: Trx,
  { id, state, text_en, text_ru }: Update,
  now: Date,
): Promise<void> {
  const updateId = newId();
  await insertUpdate(trx, {
    id: updateId,
    incident_id: id,
    state,
    text_en,
    text_ru,
    created_at: now,
  });
  await jobs.send(trx, announceJob, { updateId });
  await bus.notify(trx, statusChannel, id);
}

/** Subscribers are reminded so long before a maintenance that was planned earlier than that. */
const reminderMs = 3_600_000;

/** Maintenances announce themselves: an hour before, when they begin, and at their planned end. */
export async function advanceMaintenances(
  deps: IncidentDeps & { readonly db: Db },
  now: Date,
): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const due = await lockDueMaintenances(trx, {
      now,
      remindBefore: new Date(now.getTime() + reminderMs),
      plannedBefore: new Date(now.getTime() - reminderMs),
    });
    for (const row of due) {
      const step = stepOf(row, now);
      const { state, texts } = step;
      await changeIncident(trx, row.id, {
        state,
        reminded_at: row.reminded_at ?? now,
        ended_at: isEnded(state) ? now : null,
      });
      await publish(deps, trx, { id: row.id, state, text_en: texts.en, text_ru: texts.ru }, now);
    }
  });
}

function stepOf({ state, starts_at, ends_at }: IncidentRow, now: Date) {
  const isOver = ends_at !== null && ends_at <= now;
  if (isOver) return { state: "completed", texts: maintenanceTexts.completed } as const;
  if (state === "scheduled" && starts_at > now) {
    return { state: "scheduled", texts: maintenanceTexts.reminder } as const;
  }
  return { state: "in_progress", texts: maintenanceTexts.begun } as const;
}
