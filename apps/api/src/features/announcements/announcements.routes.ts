import type { StaffAnnouncement } from "@palisade/contract/http/announcements";
import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { DomainError, fieldError } from "#src/platform/errors/domain-error.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import {
  deleteAnnouncement,
  insertAnnouncement,
  selectAnnouncements,
  selectShown,
  updateAnnouncement,
  type AnnouncementRow,
} from "./announcements.repository.ts";

/** What staff tell all customers in the console. */
export function mountAnnouncementRoutes(mount: Mount, { db }: { readonly db: Db }): void {
  mount(routes.announcements.listAnnouncements, async (ctx) => ({
    body: {
      announcements: (await selectShown(db, ctx.now)).map((row) => ({
        id: row.id,
        level: row.level,
        text: ctx.locale === "ru" ? row.text_ru : row.text_en,
        changed_at: row.changed_at.toISOString(),
      })),
    },
  }));

  mount(routes.staffAnnouncements.listStaffAnnouncements, async (ctx) => ({
    body: { announcements: (await selectAnnouncements(db)).map((row) => present(row, ctx.now)) },
  }));

  mount(routes.staffAnnouncements.createAnnouncement, (ctx, { body }) =>
    unitOfWork(ctx, async (trx) => {
      const times = { created_at: ctx.now, changed_at: ctx.now };
      const row = await insertAnnouncement(trx, { id: newId(), ...columnsOf(body), ...times });
      const message = ctx.text("ok.announcement_saved");
      return { body: { message, announcement: present(row, ctx.now) } };
    }),
  );

  mount(routes.staffAnnouncements.updateAnnouncement, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const changes = { ...columnsOf(body), changed_at: ctx.now };
      const row = await updateAnnouncement(trx, params.announcementId, changes);
      if (row === undefined) throw new DomainError("not_found");
      const message = ctx.text("ok.announcement_saved");
      return { body: { message, announcement: present(row, ctx.now) } };
    }),
  );

  mount(routes.staffAnnouncements.deleteAnnouncement, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      if (!(await deleteAnnouncement(trx, params.announcementId))) {
        throw new DomainError("not_found");
      }
      return { body: { message: ctx.text("ok.announcement_deleted") } };
    }),
  );
}

function columnsOf(body: Pick<StaffAnnouncement, "level" | "en" | "ru" | "starts_at" | "ends_at">) {
  const starts_at = new Date(body.starts_at);
  const ends_at = body.ends_at === null ? null : new Date(body.ends_at);
  if (ends_at !== null && ends_at <= starts_at) throw fieldError("ends_at", "time.order");
  return { level: body.level, text_en: body.en, text_ru: body.ru, starts_at, ends_at };
}

function present(row: AnnouncementRow, now: Date): StaffAnnouncement {
  return {
    id: row.id,
    level: row.level,
    en: row.text_en,
    ru: row.text_ru,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at?.toISOString() ?? null,
    state: stateOf(row, now),
    changed_at: row.changed_at.toISOString(),
  };
}

function stateOf(row: AnnouncementRow, now: Date): StaffAnnouncement["state"] {
  if (row.starts_at > now) return "planned";
  return row.ends_at !== null && row.ends_at <= now ? "over" : "shown";
}
