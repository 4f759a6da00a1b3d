import { createHmac, timingSafeEqual } from "node:crypto";
import { pickLocale } from "@palisade/contract/texts/render";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import { isOwnForm, takeForms } from "#src/platform/http/own-form.ts";
import type { Jobs } from "#src/platform/jobs/jobs.ts";
import { sendSandboxEvent } from "./sandbox.jobs.ts";
import { renderCheckout, renderRefusal, returnPathOf } from "./sandbox-page.ts";
import { sandboxPath } from "./sandbox-provider.ts";
import { stateOf } from "./sandbox.policy.ts";
import { closeCheckout, selectCheckout } from "./sandbox.repository.ts";
import { sandboxPolicy } from "./sandbox-style.ts";

export interface SandboxRoutesDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly formKey: Buffer;
}

/** An impossible reference is looked up as an empty one, which does not exist. */
const params = z.object({
  reference: z
    .string()
    .regex(/^[\w-]+$/)
    .catch(""),
});
const form = z.object({ action: z.enum(["pay", "cancel"]), token: z.string().max(200) });

/** The sandbox's hosted checkout page. Registered in development only. */
export async function mountSandboxRoutes(
  app: FastifyInstance,
  deps: SandboxRoutesDeps,
): Promise<void> {
  const { db, clock } = deps;
  const url = `${sandboxPath}/:reference`;
  await app.register(async (scope) => {
    takeForms(scope);

    scope.get(url, { schema: { hide: true } }, async (request, reply) => {
      const locale = pickLocale(request.headers["accept-language"]);
      const checkout = await selectCheckout(db, params.parse(request.params).reference);
      if (checkout === undefined) return sendPage(reply, 404, renderRefusal(locale, "unknown"));
      const token = formToken(deps.formKey, checkout.reference).toString("base64url");
      return sendPage(reply, 200, renderCheckout(checkout, { locale, now: clock.now(), token }));
    });

    scope.post(url, { schema: { hide: true } }, async (request, reply) => {
      const locale = pickLocale(request.headers["accept-language"]);
      const { reference } = params.parse(request.params);
      const sent = form.safeParse(request.body);
      if (!hasToken(deps.formKey, request, reference, sent.data?.token) || !sent.success) {
        return sendPage(reply, 403, renderRefusal(locale, "refused"));
      }
      await close(deps, reference, sent.data.action);
      const checkout = await selectCheckout(db, reference);
      if (checkout === undefined) return sendPage(reply, 404, renderRefusal(locale, "unknown"));
      // The record decides: a second click, also on the other button, changes nothing.
      const state = stateOf(checkout, clock.now());
      return reply.header("cache-control", "no-store").redirect(returnPathOf(checkout, state), 303);
    });
  });
}

/** Changes the record and sends the event that reports it, together or not at all. */
async function close(
  { db, clock, jobs }: SandboxRoutesDeps,
  reference: string,
  action: "pay" | "cancel",
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const status = action === "pay" ? "paid" : "cancelled";
    if (!(await closeCheckout(trx, reference, status, clock.now()))) return;
    const type =
      action === "pay" ? ("checkout.completed" as const) : ("checkout.cancelled" as const);
    await sendSandboxEvent(trx, jobs, { type, data: { reference } });
  });
}

/**
 * Whether the sandbox's own page sent the form. A foreign page may know the checkout's address, for
 * example from the browser's history, and could post to it; but it cannot read the token.
 */
function hasToken(
  key: Buffer,
  request: FastifyRequest,
  reference: string,
  token: string | undefined,
): boolean {
  if (!isOwnForm(request)) return false;
  const given = Buffer.from(token ?? "", "base64url");
  const expected = formToken(key, reference);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function formToken(key: Buffer, reference: string): Buffer {
  return createHmac("sha256", key).update(reference).digest();
}

function sendPage(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply
    .code(status)
    .type("text/html; charset=utf-8")
    .header("cache-control", "no-store")
    .header("content-security-policy", sandboxPolicy)
    .send(html);
}
