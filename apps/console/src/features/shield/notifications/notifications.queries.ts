import {
  notificationRoutes,
  type NotificationSettings,
} from "@palisade/contract/http/notifications";
import { webhookRoutes } from "@palisade/contract/http/webhooks";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "#src/api/client.ts";
import type { Saved } from "../shared-form/use-shared-form.ts";
import { ifMatch, type Versioned } from "../shield.queries.ts";

export function notificationsQuery(id: string) {
  return queryOptions({
    queryKey: ["servers", id, "notifications"],
    queryFn: async ({ signal }): Promise<Versioned<NotificationSettings>> => {
      const answer = await call(notificationRoutes.getNotifications, { params: { id }, signal });
      return { value: answer.data, etag: answer.headers.get("etag") };
    },
  });
}

export async function saveNotifications(
  id: string,
  body: Partial<NotificationSettings>,
  etag: string | null,
): Promise<Saved<NotificationSettings>> {
  const { data, headers } = await call(notificationRoutes.updateNotifications, {
    params: { id },
    body,
    headers: ifMatch(etag),
  });
  // No edge has to know of them, so there is no revision to wait for.
  const now = { value: data.notifications, etag: headers.get("etag") };
  return { now, message: data.message, revision: 0 };
}

export function webhooksQuery(id: string) {
  return queryOptions({
    queryKey: ["servers", id, "webhooks"],
    queryFn: async ({ signal }) =>
      (await call(webhookRoutes.listWebhooks, { params: { id }, signal })).data.webhooks,
  });
}

const pendingMs = 1_500;
const calmMs = 15_000;

/** Newest first; polled, because a try may be in progress. */
export function deliveriesQuery(id: string, webhookId: string) {
  return infiniteQueryOptions({
    queryKey: ["servers", id, "webhooks", webhookId, "deliveries"],
    queryFn: async ({ pageParam, signal }) => {
      const query = pageParam === null ? {} : { cursor: pageParam };
      const params = { id, webhookId };
      return (await call(webhookRoutes.listWebhookDeliveries, { params, query, signal })).data;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: cursor }) => cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.data.some((each) => each.state === "pending") === true
        ? pendingMs
        : calmMs,
  });
}
