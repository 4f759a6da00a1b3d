import { allows } from "@palisade/contract/http/member-rights";
import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { createReplayPlaces } from "./replay-places.ts";
import { presentReplay } from "./replay.presenter.ts";
import { replayMitigation } from "./replay.service.ts";

/** When a caller who found no place may try again. */
const busySeconds = 5;

export function mountReplayRoutes(mount: Mount, { db }: { readonly db: Db }): void {
  const places = createReplayPlaces();
  mount(routes.replay.replayMitigation, async (ctx, { params, body }) => {
    const { rights } = ctx.shield;
    // Its rows are those of the log.
    if (!allows(rights, "logs", "view")) throw new DomainError("forbidden");
    const leave = places.take(params.id);
    if (leave === undefined) {
      const values = { seconds: busySeconds };
      throw new DomainError("rate_limited", { values, retryAfterSeconds: busySeconds });
    }
    try {
      const request = { shieldId: params.id, body, now: ctx.now, signal: ctx.signal };
      const result = await replayMitigation(db, request);
      return { body: presentReplay(result, { rights, locale: ctx.locale }) };
    } finally {
      leave();
    }
  });
}
