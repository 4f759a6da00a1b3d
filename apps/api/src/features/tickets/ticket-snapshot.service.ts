import type { Locale } from "@palisade/contract/texts/render";
import { readSettings } from "#src/features/configuration/settings-state.service.ts";
import { reportOn, type DoctorDeps } from "#src/features/doctor/doctor.service.ts";
import type { ShieldAccess } from "#src/platform/http/pipeline/context.ts";
import { selectTicket, storeSnapshot } from "./tickets.repository.ts";

export interface SnapshotDeps extends DoctorDeps {
  readonly shieldAccess: Pick<ShieldAccess, "of">;
}

export interface SnapshotOrder {
  readonly ticketId: string;
  readonly shieldId: string;
  readonly userId: string;
  readonly signal: AbortSignal;
  readonly now: Date;
  readonly locale: Locale;
}

/**
 * Keeps the settings of the shield and a doctor's report with the ticket, as far as its customer may
 * see them. It waits for probes, so it belongs outside any transaction; when it is repeated, the first
 * one stays.
 */
export async function takeSnapshot(deps: SnapshotDeps, order: SnapshotOrder): Promise<void> {
  const { db } = deps;
  const ticket = await selectTicket(db, order.ticketId);
  if (ticket === undefined || ticket.has_snapshot) return;
  const grant = await deps.shieldAccess.of(db, order.userId, order.shieldId);
  if (grant === null || grant === "gone") return;
  const { rights } = grant;
  const settings = await readSettings(db, order.shieldId);
  const visible = Object.entries(settings).filter(
    ([area]) => rights[area as keyof typeof settings] !== "none",
  );
  const doctor = rights.backends === "none" ? null : await reportOn(deps, order.shieldId, order);
  await storeSnapshot(db, order.ticketId, {
    taken_at: order.now.toISOString(),
    settings: Object.fromEntries(visible),
    doctor,
  });
}
