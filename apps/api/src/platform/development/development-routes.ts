import { isIP } from "node:net";
import { pickLocale, type Locale } from "@palisade/contract/texts/render";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { DevelopmentClock } from "#src/platform/clock/development-clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import { selectDevelopmentMails } from "#src/platform/mail/development-mails.repository.ts";
import type { Letterhead } from "#src/platform/mail/mail-content.ts";
import type { MailTemplate } from "#src/platform/mail/mailer.ts";
import { developmentPolicy } from "./development-page.ts";
import { renderMailbox, type MailboxMail } from "./mailbox-page.ts";
import { renderTemplates } from "./templates-page.ts";

export interface DevelopmentRoutesDeps {
  readonly db: Db;
  readonly clock: DevelopmentClock;
  readonly publicOrigin: () => string;
  readonly mail: {
    readonly templates: Readonly<Record<string, MailTemplate>>;
    readonly letterhead: Letterhead;
  };
  /** Answers a mail of the mailbox as its receiver; undefined where no answers are taken. */
  readonly answer:
    | ((mail: { readonly id: string; readonly text: string }) => Promise<void>)
    | undefined;
}

const mailboxQuery = z.object({
  // PostgreSQL's texts hold no NUL.
  to: z
    .string()
    .max(254)
    .regex(/^[^\0]*$/)
    .optional(),
});
const answerBody = z.object({ id: z.uuid(), text: z.string().max(20_000) });
const clockBody = z.object({
  advance_seconds: z
    .int()
    .min(0)
    .max(400 * 86_400),
});

const foreignHostText =
  "This page is shown at 127.0.0.1, localhost and IP addresses only: open it there, or set PALISADE_PUBLIC_URL to the address that you use.\n";

/**
 * Whether the browser asked for a host that is ours. A foreign name that resolves to this machine
 * (DNS rebinding) would let the page of a stranger read the mailbox, codes and all.
 */
function isOwnHost(hostname: string, publicOrigin: string): boolean {
  const name = hostname.toLowerCase().replace(/^\[|\]$/g, "");
  return (
    isIP(name) !== 0 ||
    name === "localhost" ||
    name.endsWith(".localhost") ||
    name === new URL(publicOrigin).hostname
  );
}

/** The mailbox and the movable clock. Registered in development only. */
export async function mountDevelopmentRoutes(
  app: FastifyInstance,
  deps: DevelopmentRoutesDeps,
): Promise<void> {
  // In a scope of its own, so that the check belongs to the routes: an address can be written in
  // more than one way (`/%64ev/mail`).
  await app.register(async (scope) => mountRoutes(scope, deps));
}

function mountRoutes(app: FastifyInstance, deps: DevelopmentRoutesDeps): void {
  app.addHook("onRequest", async (request, reply) => {
    if (isOwnHost(request.hostname, deps.publicOrigin())) return;
    void reply.code(421).type("text/plain; charset=utf-8").header("cache-control", "no-store");
    return reply.send(foreignHostText);
  });
  const schema = { hide: true, querystring: mailboxQuery };
  app.get("/dev/mail.json", { schema }, async (request, reply) => {
    const { to } = mailboxQuery.parse(request.query);
    void reply.header("cache-control", "no-store");
    return readMails(deps.db, to);
  });

  const page = (url: string, render: (locale: Locale, query: unknown) => Promise<string>) =>
    app.get(url, { schema }, async (request, reply) =>
      reply
        .type("text/html; charset=utf-8")
        .header("cache-control", "no-store")
        .header("content-security-policy", developmentPolicy)
        .send(await render(pickLocale(request.headers["accept-language"]), request.query)),
    );
  page("/dev/mail", async (locale, query) =>
    renderMailbox(locale, await readMails(deps.db, mailboxQuery.parse(query).to), {
      takesAnswers: deps.answer !== undefined,
    }),
  );
  page("/dev/mail/templates", async (locale) =>
    renderTemplates(locale, deps.mail.templates, deps.mail.letterhead),
  );

  const { answer } = deps;
  if (answer !== undefined) {
    app.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string", bodyLimit: 128 * 1024 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    app.post("/dev/mail/answer", { schema: { hide: true } }, async (request, reply) => {
      // A page elsewhere could send the form as well.
      const site = request.headers["sec-fetch-site"];
      if (site !== undefined && site !== "same-origin") return reply.code(403).send();
      await answer(answerBody.parse(request.body));
      return reply.redirect("/dev/mail", 303);
    });
  }

  app.post("/dev/clock", { schema: { hide: true, body: clockBody } }, async (request, reply) => {
    const { advance_seconds: seconds } = clockBody.parse(request.body);
    const now = await deps.clock.advance(seconds);
    void reply.header("cache-control", "no-store");
    return { now: now.toISOString() };
  });
}

async function readMails(db: Db, to: string | undefined): Promise<MailboxMail[]> {
  const rows = await selectDevelopmentMails(db, to);
  return rows.map((row) => ({
    id: row.id,
    reply_to: row.reply_to,
    to: row.recipient,
    subject: row.subject,
    text: row.text_body,
    html: row.html_body,
    created_at: row.created_at.toISOString(),
  }));
}
