import { routes } from "@palisade/contract/http/routes";
import type { Db } from "#src/platform/database/db.ts";
import type { Mount } from "#src/platform/http/pipeline/mount-types.ts";
import { unitOfWork } from "#src/platform/http/pipeline/unit-of-work.ts";
import { readCursor, writeCursor } from "#src/platform/http/time-cursor.ts";
import { getNotifications, updateNotifications } from "./notification-settings.service.ts";
import { presentDelivery, presentWebhook } from "./webhooks.presenter.ts";
import { selectDeliveries, selectWebhooks } from "./webhooks.repository.ts";
import {
  addWebhook,
  redeliver,
  removeWebhook,
  requireWebhook,
  rotateSecret,
  sendTest,
  updateWebhook,
  type WebhooksDeps,
} from "./webhooks.service.ts";

const deliveriesShown = 50;

export function mountNotificationRoutes(
  mount: Mount,
  deps: WebhooksDeps & { readonly db: Db },
): void {
  const { db, writes } = deps;
  const { notifications, webhooks } = routes;

  mount(notifications.getNotifications, async (_ctx, { params }) => {
    const { notifications: body, etag } = await getNotifications(db, params.id);
    return { body, headers: { etag } };
  });
  mount(notifications.updateNotifications, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const request = { shieldId: params.id, now: ctx.now, ifMatch: ctx.ifMatch };
      const { etag, ...answer } = await updateNotifications(writes, trx, request, body);
      const message = ctx.text("ok.notification_settings_updated");
      return { body: { message, ...answer }, headers: { etag } };
    }),
  );

  mount(webhooks.listWebhooks, async ({ now }, { params }) => {
    const rows = await selectWebhooks(db, params.id);
    return { body: { webhooks: rows.map((row) => presentWebhook(row, now)) } };
  });
  mount(webhooks.addWebhook, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const added = await addWebhook(deps, trx, { shieldId: params.id, now: ctx.now }, body);
      return { body: { message: ctx.text("ok.webhook_added"), ...added } };
    }),
  );
  mount(webhooks.updateWebhook, (ctx, { params, body }) =>
    unitOfWork(ctx, async (trx) => {
      const webhook = await updateWebhook(deps, trx, requestOf(ctx, params), body);
      return { body: { message: ctx.text("ok.webhook_updated"), webhook } };
    }),
  );
  mount(webhooks.removeWebhook, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      await removeWebhook(deps, trx, requestOf(ctx, params));
      return { body: { message: ctx.text("ok.webhook_removed") } };
    }),
  );
  mount(webhooks.rotateWebhookSecret, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      const rotated = await rotateSecret(deps, trx, requestOf(ctx, params));
      return { body: { message: ctx.text("ok.webhook_secret_rotated"), ...rotated } };
    }),
  );
  mount(webhooks.testWebhook, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      const request = { ...requestOf(ctx, params), locale: ctx.locale, reader: ctx.shield };
      const delivery = await sendTest(deps, trx, request);
      return { body: { message: ctx.text("ok.webhook_test_sent"), delivery } };
    }),
  );
  mount(webhooks.listWebhookDeliveries, async ({ shield }, { params, query }) => {
    const window = { before: readCursor(query.cursor), limit: deliveriesShown + 1 };
    const webhook = await requireWebhook(db, { shieldId: params.id, webhookId: params.webhookId });
    const rows = await selectDeliveries(db, webhook.id, window);
    const shown = rows.slice(0, deliveriesShown);
    const last = rows.length > deliveriesShown ? shown.at(-1) : undefined;
    const next_cursor =
      last === undefined ? null : writeCursor({ at: last.created_at, id: last.id });
    return { body: { data: shown.map((row) => presentDelivery(row, shield)), next_cursor } };
  });
  mount(webhooks.redeliverWebhook, (ctx, { params }) =>
    unitOfWork(ctx, async (trx) => {
      const { deliveryId } = params;
      const request = { ...requestOf(ctx, params), deliveryId, reader: ctx.shield };
      const delivery = await redeliver(deps, trx, request);
      return { body: { message: ctx.text("ok.webhook_redelivered"), delivery } };
    }),
  );
}

function requestOf(
  { now }: { readonly now: Date },
  { id, webhookId }: { readonly id: string; readonly webhookId: string },
) {
  return { shieldId: id, webhookId, now };
}
