import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import { acceptInvitation, declineInvitation, readInvitation } from "./invitations.service.ts";
import {
  changeRole,
  inviteSubUser,
  leaveShield,
  listSubUsers,
  removeSubUser,
  type SubUsersDeps,
} from "./sub-users.service.ts";

export interface SubUsersRoutesDeps extends SubUsersDeps {
  readonly db: Db;
}

export function mountSubUserRoutes(mount: Mount, deps: SubUsersRoutesDeps): void {
  mount(routes.subUsers.listSubUsers, async (_ctx, { params }) => ({
    body: { sub_users: await listSubUsers(deps.db, params.id) },
  }));
  mount(routes.subUsers.addSubUser, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const { email: typed, ...chosen } = body;
      const request = { shieldId: params.id, typed, chosen };
      const sub_user = await inviteSubUser(deps, trx, ctx, request);
      return { body: { message: ctx.text("ok.invitation_sent"), sub_user } };
    }),
  );
  mount(routes.subUsers.updateSubUser, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const request = { shieldId: params.id, id: params.subUserId, now: ctx.now };
      const sub_user = await changeRole(trx, request, body);
      return { body: { message: ctx.text("ok.sub_user_changed"), sub_user } };
    }),
  );
  mount(routes.subUsers.removeSubUser, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      await removeSubUser(trx, { shieldId: params.id, id: params.subUserId, now: ctx.now });
      return { body: { message: ctx.text("ok.sub_user_removed") } };
    }),
  );
  mount(routes.subUsers.leaveServer, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      const server = await leaveShield(trx, ctx, params.id);
      return { body: { message: ctx.text("ok.membership_left", { server }) } };
    }),
  );
}

export function mountInvitationRoutes(mount: Mount, { db, mailer }: SubUsersRoutesDeps): void {
  mount(routes.subUsers.getInvitation, async (ctx, { body }) => ({
    body: { invitation: await readInvitation(db, body.token, ctx.now) },
  }));
  mount(routes.subUsers.acceptInvitation, (ctx, { body }) =>
    unitOfWork(ctx, async (trx) => {
      const { id, server_name } = await acceptInvitation(mailer, trx, ctx, body.token);
      const message = ctx.text("ok.invitation_accepted", { server: server_name });
      return { body: { message, server_id: id } };
    }),
  );
  mount(routes.subUsers.declineInvitation, async (ctx, { body }) => {
    await declineInvitation(db, ctx, body.token);
    return { body: { message: ctx.text("ok.invitation_declined") } };
  });
}
