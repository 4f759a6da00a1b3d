import { useLingui } from "@lingui/react/macro";
import { webhookRoutes, type addWebhookBody, type Webhook } from "@palisade/contract/http/webhooks";
import { useMutation } from "@tanstack/react-query";
import type { z } from "zod";
import { call } from "#src/api/client.ts";
import { errorText } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { toast } from "#src/ui/toasts.tsx";
import { deliveriesQuery, webhooksQuery } from "./notifications.queries.ts";

/** Changes of the shield's webhooks. */
export function useWebhooks(shieldId: string) {
  const { t } = useLingui();
  const { queryKey } = webhooksQuery(shieldId);
  const failed = (error: unknown) =>
    toast("error", errorText(error, t`Failed to change the webhook`));
  const paramsOf = ({ id }: Pick<Webhook, "id">) => ({ id: shieldId, webhookId: id });

  async function take(change: (all: Webhook[]) => Webhook[]) {
    await queryClient.cancelQueries({ queryKey, exact: true });
    queryClient.setQueryData(queryKey, (all) => all && change(all));
  }
  const replace = (now: Webhook) =>
    take((all) => all.map((each) => (each.id === now.id ? now : each)));

  const add = useMutation({
    mutationFn: async (body: z.input<typeof addWebhookBody>) =>
      (await call(webhookRoutes.addWebhook, { params: { id: shieldId }, body })).data,
    onSuccess: ({ webhook, message }) => {
      toast("success", message);
      return take((all) => [...all, webhook]);
    },
  });
  const update = useMutation({
    mutationFn: async ({
      webhook,
      ...body
    }: Partial<Pick<Webhook, "events" | "enabled">> & { webhook: Webhook }) =>
      (await call(webhookRoutes.updateWebhook, { params: paramsOf(webhook), body })).data,
    onSuccess: ({ webhook, message }) => {
      toast("success", message);
      return replace(webhook);
    },
    onError: failed,
  });
  const rotate = useMutation({
    mutationFn: async (webhook: Webhook) =>
      (await call(webhookRoutes.rotateWebhookSecret, { params: paramsOf(webhook) })).data,
    onSuccess: ({ webhook }) => replace(webhook),
    onError: failed,
  });
  const remove = useMutation({
    mutationFn: async (webhook: Webhook) =>
      (await call(webhookRoutes.removeWebhook, { params: paramsOf(webhook) })).data,
    onSuccess: ({ message }, webhook) => {
      toast("success", message);
      return take((all) => all.filter(({ id }) => id !== webhook.id));
    },
    onError: failed,
  });
  const test = useMutation({
    mutationFn: async (webhook: Webhook) =>
      (await call(webhookRoutes.testWebhook, { params: paramsOf(webhook) })).data,
    onSuccess: ({ message }, webhook) => {
      toast("success", message);
      return queryClient.invalidateQueries({
        queryKey: deliveriesQuery(shieldId, webhook.id).queryKey,
      });
    },
    onError: failed,
  });
  return { add, update, rotate, remove, test };
}
