import { routes } from "@palisade/contract/http/routes";
import type { StaffLocation } from "@palisade/contract/http/staff-locations";
import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import {
  insertLocation,
  lockLocation,
  selectLocations,
  updateLocation,
  type LocationRow,
} from "./locations.repository.ts";

/** Staff add, name and retire locations. A retired one keeps its edges and shields. */
export function mountLocationRoutes(mount: Mount, { db }: { readonly db: Db }): void {
  mount(routes.staffLocations.listLocations, async () => ({
    body: { locations: (await selectLocations(db)).map(present) },
  }));

  mount(routes.staffLocations.createLocation, (ctx, { body }) =>
    unitOfWork(ctx, async (trx) => {
      const { name, en: display_name, ru, flag_url, position } = body;
      const translations = translationsOf({}, ru);
      const row = { name, display_name, translations, flag_url, position };
      if (!(await insertLocation(trx, row))) {
        throw new DomainError("conflict", { issues: [{ path: "name", code: "error.conflict" }] });
      }
      return { body: { message: ctx.text("ok.location_added") } };
    }),
  );

  mount(routes.staffLocations.editLocation, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const location = await lockLocation(trx, params.location);
      if (location === undefined) throw new DomainError("not_found");
      const { en: display_name, ru, flag_url, position, is_retired } = body;
      await updateLocation(trx, params.location, {
        display_name,
        translations: translationsOf(location.translations, ru),
        flag_url,
        position,
        retired_at: is_retired ? (location.retired_at ?? ctx.now) : null,
      });
      return { body: { message: ctx.text("ok.location_saved") } };
    }),
  );
}

/** Other languages stay as they are. */
function translationsOf(known: object, ru: string | null): string {
  return JSON.stringify({ ...known, ru: ru === null ? undefined : { display_name: ru } });
}

function present(row: LocationRow): StaffLocation {
  return {
    name: row.name,
    en: row.display_name,
    ru: row.translations.ru?.display_name ?? null,
    flag_url: row.flag_url,
    position: row.position,
    is_retired: row.retired_at !== null,
    edges: Number(row.edges),
    edges_online: Number(row.edges_online),
    shields: Number(row.shields),
  };
}
