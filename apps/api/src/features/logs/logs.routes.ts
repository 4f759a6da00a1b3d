import { PassThrough } from "node:stream";
import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { csvHeaders } from "#src/platform/http/csv.ts";
import { createNdjsonWriter, stallMsMax } from "#src/platform/http/ndjson-writer.ts";
import type { ShieldAccess, ShieldGrant } from "#src/platform/http/pipeline/context.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import { readCursor, writeCursor } from "#src/platform/http/time-cursor.ts";
import type { Jobs } from "#src/platform/jobs/jobs.ts";
import type { AddressDatabases } from "@palisade/address-databases/address-databases";
import { entitlements } from "#src/features/plans/entitlements.service.ts";
import { erasePlayer } from "./login-entries.service.ts";
import { saveInterval, selectInterval, selectPlanOfShield } from "./login-entries.repository.ts";
import { exportLog } from "./log-export.service.ts";
import { filterOf, searchLogins, seesAddresses } from "./log-search.service.ts";
import { serveTail } from "./log-tail.service.ts";
import { presentLogin, presentSettings } from "./logs.presenter.ts";
import { createTailPlaces } from "./tail-places.ts";

const entriesShown = 100;
const intervalDefault = 10;

export interface LogRoutesDeps {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly places: AddressDatabases;
  readonly shieldAccess: ShieldAccess;
}

export function mountLogRoutes(mount: Mount, deps: LogRoutesDeps): void {
  const { db, jobs, places } = deps;
  mount(routes.logs.listLogEntries, async ({ shield, locale, now }, { params, query }) => {
    const { rights } = shield;
    const filter = filterOf(query, rights);
    const days = await daysKept(db, params.id);
    const window = { days, before: readCursor(query.cursor), limit: entriesShown + 1, now };
    const rows = await searchLogins(db, params.id, filter, window);
    const shown = rows.slice(0, entriesShown);
    const last = rows.length > entriesShown ? shown.at(-1) : undefined;
    return {
      body: {
        data: shown.map((row) => presentLogin(row, { rights, locale })),
        next_cursor: last === undefined ? null : writeCursor(last),
        days,
        addresses: seesAddresses(rights),
        places: places.hasCountries || places.hasNetworks,
      },
    };
  });
  mount(routes.logs.exportLogEntries, async ({ shield, locale, now }, { params, query }) => {
    const reader = { rights: shield.rights, locale };
    const filter = filterOf(query, shield.rights);
    const days = await daysKept(db, params.id);
    return {
      body: exportLog(db, { shieldId: params.id, filter, days, now, reader }),
      headers: csvHeaders("log.csv"),
    };
  });
  mount(routes.logs.getLogSettings, async ({ actor, locale }, { params }) => {
    const seconds = await selectInterval(db, actor.userId, params.id);
    return { body: presentSettings(seconds ?? intervalDefault, locale) };
  });
  mount(routes.logs.updateLogSettings, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const seconds = body.logs_refresh_interval;
      await saveInterval(trx, { user_id: ctx.actor.userId, shield_id: params.id, seconds });
      const message = ctx.text("ok.interval_updated");
      return { body: { message, logs: presentSettings(seconds, ctx.locale) } };
    }),
  );
  mount(routes.logs.erasePlayer, (ctx, { params, body: { player } }) =>
    unitOfWork(ctx, async (trx) => {
      const { erased, finished } = await erasePlayer({ jobs }, trx, params.id, player);
      const message = ctx.text(finished ? "ok.player_erased" : "ok.player_erasing", { player });
      return { body: { message, erased, finished } };
    }),
  );
  mountTail(mount, deps);
}

function mountTail(mount: Mount, { db, shieldAccess }: LogRoutesDeps): void {
  const tails = createTailPlaces();
  mount(routes.logs.tailLogEntries, async (ctx, { params, query }) => {
    const { after, seconds, ...filters } = query;
    const { userId } = ctx.actor;
    const filter = filterOf(filters, ctx.shield.rights);
    const leave = tails.take(userId);
    if (leave === undefined) {
      throw new DomainError("rate_limited", { values: { seconds: 5 }, retryAfterSeconds: 5 });
    }
    const output = new PassThrough({ highWaterMark: 64 * 1024 });
    serveTail(db, {
      shieldId: params.id,
      filter,
      reader: { rights: ctx.shield.rights, locale: ctx.locale },
      after,
      seconds,
      writer: createNdjsonWriter(output, stallMsMax),
      signal: ctx.signal,
      rights: async () => rightsOf(await shieldAccess.of(db, userId, params.id)),
    })
      .then(
        () => output.end(),
        (error: unknown) => {
          ctx.log.debug({ err: error }, "The tail of a log ended early");
          output.destroy();
        },
      )
      .finally(leave);
    // A kept-alive connection would delay a shutdown after its stream has ended.
    return { body: output };
  });
}

function rightsOf(grant: ShieldGrant | "gone" | null) {
  return grant === null || grant === "gone" ? null : grant.rights;
}

async function daysKept(db: Db, shieldId: string): Promise<number> {
  return entitlements(await selectPlanOfShield(db, shieldId)).logDays;
}
