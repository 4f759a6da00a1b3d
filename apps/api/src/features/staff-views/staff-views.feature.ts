import { viewMinutes } from "@palisade/contract/http/staff-user-shapes";
import { routes } from "@palisade/contract/http/routes";
import { lockUser } from "#src/features/users/users.service.ts";
import { newId } from "#src/platform/database/ids.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import type { UserAccess } from "#src/platform/http/pipeline/authentication.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import type { Feature, Platform } from "#src/platform/platform.ts";
import { newToken, tokenPrefixes } from "#src/platform/security/tokens.ts";
import {
  deleteExpiredViews,
  deleteView,
  findViewActor,
  insertView,
} from "./staff-views.repository.ts";

export interface StaffViewsFeature extends Feature {
  readonly viewAccess: UserAccess;
  readonly deleteOld: (now: Date) => Promise<void>;
}

/**
 * Lets staff see what a customer sees, for some minutes. The pipeline refuses everything that is not
 * reading, and keeps what they saw on record.
 */
export function createStaffViewsFeature({ db }: Pick<Platform, "db">): StaffViewsFeature {
  return {
    viewAccess: (token, { now }) => findViewActor(db, token, now),
    deleteOld: (now) => deleteExpiredViews(db, now),
    mountRoutes(mount) {
      mount(routes.staffUsers.viewAs, (ctx, { params }) =>
        unitOfWork(ctx, async (trx) => {
          const { credential, userId: staffId } = ctx.actor;
          if (credential.kind !== "session") throw new DomainError("forbidden");
          const user = await lockUser(trx, params.userId);
          if (user === undefined || user.deleted_at !== null) throw new DomainError("not_found");
          // A colleague's pages belong to their own role.
          if (user.role === "staff") {
            throw new DomainError("conflict", { text: "staff.not_of_staff" });
          }
          const id = newId();
          const token = newToken(tokenPrefixes.view);
          const expiresAt = new Date(ctx.now.getTime() + viewMinutes * 60_000);
          const view = { id, sessionId: credential.id, staffId, userId: user.id };
          await insertView(trx, { ...view, token, now: ctx.now, expiresAt });
          return {
            body: { view_id: id, token, email: user.email, expires_at: expiresAt.toISOString() },
          };
        }),
      );

      mount(routes.staffUsers.endView, (ctx, { params }) =>
        unitOfWork(ctx, async (trx) => {
          const isEnded = await deleteView(trx, { id: params.viewId, staffId: ctx.actor.userId });
          if (!isEnded) throw new DomainError("not_found");
          return { body: { message: ctx.text("staff.view_ended") } };
        }),
      );
    },
  };
}
