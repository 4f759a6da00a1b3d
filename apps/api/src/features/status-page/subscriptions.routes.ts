import type { RouteLimit } from "@palisade/contract/http/route";
import { email } from "@palisade/contract/http/fields";
import type { Locale } from "@palisade/contract/texts/locale";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Clock } from "#src/platform/clock/clock.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { isPublicHost } from "#src/platform/http/outbound.ts";
import { isOwnForm, takeForms } from "#src/platform/http/own-form.ts";
import {
  addressBucket,
  enforceLimits,
  type LimitCounters,
} from "#src/platform/http/pipeline/limits.ts";
import { renderCard, renderFrame, type PageView } from "./page/page-frame.ts";
import { statusStyle } from "./page/status-style.ts";
import { fill, statusTexts } from "./page/status-texts.ts";
import {
  manageScript,
  renderManage,
  renderSubscribe,
  type SubscribeState,
} from "./page/subscribe-form.ts";
import { statusPaths } from "./status-paths.ts";
import { localeOf, sendPage, viewOf } from "./status-site.routes.ts";
import {
  confirm,
  subscribeMail,
  subscribeWebhook,
  unsubscribe,
  type SubscriptionDeps,
} from "./subscriptions.service.ts";

export interface SubscriptionRoutesDeps extends SubscriptionDeps {
  readonly clock: Clock;
  readonly limits: LimitCounters;
  /** In development, for receivers on this machine. */
  readonly allowLoopback: boolean;
  readonly consoleFolder: string | undefined;
}

const subscribeLimits = {
  id: "status.subscribe",
  limits: [
    { per: "ip", max: 10, windowSeconds: 3600 },
    // The address, of a mailbox or a webhook: it is asked to confirm, and may not want that.
    { per: "email", max: 3, windowSeconds: 86_400 },
  ] satisfies RouteLimit[],
};
const manageLimits = {
  id: "status.subscription",
  limits: [{ per: "ip", max: 60, windowSeconds: 3600 }] satisfies RouteLimit[],
};

const lang = z.enum(["en", "ru"]).optional().catch(undefined);
const subscribeForm = z.object({
  kind: z.enum(["mail", "webhook"]),
  address: z.string().max(2_048).catch(""),
  lang,
});
const manageForm = z.object({
  token: z.string().trim().max(200),
  action: z.enum(["confirm", "unsubscribe"]),
  lang,
});

/** Forms that work without a script: subscribing, confirming and unsubscribing. */
export async function mountSubscriptionForms(
  app: FastifyInstance,
  deps: SubscriptionRoutesDeps,
): Promise<void> {
  const style = statusStyle(deps.consoleFolder);
  const hidden = { schema: { hide: true } };

  /** Answers what a form cannot do with a page, not with JSON. */
  async function answered(
    view: PageView,
    reply: FastifyReply,
    work: () => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof DomainError && error.code === "rate_limited") {
        const seconds = error.retryAfterSeconds ?? 60;
        const { limitedTitle: title, limited } = statusTexts[view.locale];
        const lead = fill(limited, { minutes: Math.ceil(seconds / 60) });
        void reply.header("retry-after", String(seconds));
        return sendPage(reply, 429, renderCard(view, { title, lead }), style);
      }
      app.log.warn({ err: error }, "A form of the status page was not answered");
      const { unavailableTitle: title, unavailable: lead } = statusTexts[view.locale];
      return sendPage(reply, 503, renderCard(view, { title, lead }), style);
    }
  }

  function viewIn(request: FastifyRequest, locale: Locale | undefined): PageView {
    return { ...viewOf(request, style), locale: locale ?? localeOf(request) };
  }

  await app.register(async (scope) => {
    takeForms(scope);

    scope.post(statusPaths.subscriptions, hidden, async (request, reply) => {
      const sent = subscribeForm.safeParse(request.body);
      const view = viewIn(request, sent.data?.lang);
      if (!isOwnForm(request) || !sent.success) return sendForeign(reply, view);
      const { kind } = sent.data;
      const address = sent.data.address.trim();
      return answered(view, reply, async () => {
        const now = deps.clock.now();
        const subjects = { ip: addressBucket(request.ip), email: `${kind} ${address}` };
        if (kind === "mail") {
          const parsed = email.safeParse(address);
          if (!parsed.success) return sendWrong(reply, view, "mail", address, "mailWrong");
          subjects.email = `mail ${parsed.data.toLowerCase()}`;
          await enforceLimits(deps.limits, subscribeLimits, subjects, now);
          await subscribeMail(deps, parsed.data, view.locale, now);
          const { mailSentTitle: title, mailSent: lead } = statusTexts[view.locale];
          return sendPage(reply, 200, renderCard(view, { title, lead }), style);
        }
        const url = readUrl(address, deps.allowLoopback);
        if (url === undefined) return sendWrong(reply, view, "webhook", address, "webhookWrong");
        await enforceLimits(deps.limits, subscribeLimits, subjects, now);
        const outcome = await subscribeWebhook(deps, url, view.locale, now);
        if (outcome === "full") return sendWrong(reply, view, "webhook", address, "webhookFull");
        return sendPage(reply, 200, renderWebhookOutcome(view, outcome), style);
      });
    });

    scope.post(statusPaths.subscription, hidden, async (request, reply) => {
      const sent = manageForm.safeParse(request.body);
      const view = viewIn(request, sent.data?.lang);
      if (!isOwnForm(request) || !sent.success) return sendForeign(reply, view);
      const { token, action } = sent.data;
      return answered(view, reply, async () => {
        const now = deps.clock.now();
        const subjects = { ip: addressBucket(request.ip) };
        await enforceLimits(deps.limits, manageLimits, subjects, now);
        const isKnown =
          action === "confirm" ? await confirm(deps, token, now) : await unsubscribe(deps, token);
        const text = statusTexts[view.locale];
        const done = action === "confirm" ? "confirmed" : "ended";
        const said = isKnown ? done : "unknown";
        const card = { title: text[`${said}Title`], lead: text[said] };
        return sendPage(reply, isKnown ? 200 : 404, renderCard(view, card), style);
      });
    });

    scope.get(statusPaths.subscription, hidden, async (request, reply) => {
      const view = viewOf(request, style);
      const { manageTitle: title, manageLead: lead } = statusTexts[view.locale];
      const page = renderCard(view, {
        title,
        lead,
        more: renderManage(view.locale),
        script: statusPaths.script,
        path: statusPaths.subscription,
      });
      return sendPage(reply, 200, page, style);
    });

    scope.get(statusPaths.script, hidden, async (_request, reply) =>
      reply
        .type("text/javascript; charset=utf-8")
        .header("cache-control", "no-cache")
        .send(manageScript),
    );
  });

  function sendForeign(reply: FastifyReply, view: PageView): FastifyReply {
    const { foreignTitle: title, foreign: lead } = statusTexts[view.locale];
    return sendPage(reply, 403, renderCard(view, { title, lead }), style);
  }

  function sendWrong(
    reply: FastifyReply,
    view: PageView,
    kind: keyof SubscribeState,
    value: string,
    reason: "mailWrong" | "webhookWrong" | "webhookFull",
  ): FastifyReply {
    const text = statusTexts[view.locale];
    const state: SubscribeState = { [kind]: { value, error: text[reason] } };
    const content = `<h1 class="hidden">${text.subscribe}</h1>${renderSubscribe(view.locale, state)}`;
    const page = renderFrame(view, { title: text.subscribe, content, path: statusPaths.page });
    return sendPage(reply, 422, page, style);
  }
}

function renderWebhookOutcome(
  view: PageView,
  outcome: { readonly secret: string } | "known",
): string {
  const text = statusTexts[view.locale];
  if (outcome === "known") {
    return renderCard(view, { title: text.webhookKnownTitle, lead: text.webhookKnown });
  }
  // Base64 needs no escaping.
  const more = `<code>${outcome.secret}</code><div class="actions"><a class="button second" href="${statusPaths.page}?lang=${view.locale}">${text.back}</a></div>`;
  return renderCard(view, { title: text.webhookSentTitle, lead: text.webhookSent, more });
}

function readUrl(typed: string, allowLoopback: boolean): URL | undefined {
  const url = URL.parse(typed);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username !== "" || url.password !== "" || url.href.length > 2_048) return undefined;
  return isPublicHost(url.hostname, allowLoopback) ? url : undefined;
}
