import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { DevelopmentClock } from "#src/platform/clock/development-clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import { renderMailbox, type MailboxMail } from "./mailbox-page.ts";

export interface DevelopmentRoutesDeps {
  readonly db: Db;
  readonly clock: DevelopmentClock;
}

const mailsMax = 200;
const mailboxQuery = z.object({ to: z.string().max(254).optional() });
const clockBody = z.object({
  advance_seconds: z
    .int()
    .min(0)
    .max(400 * 86_400),
});

/** The mailbox and the movable clock. Registered in development only. */
export async function mountDevelopmentRoutes(
  app: FastifyInstance,
  deps: DevelopmentRoutesDeps,
): Promise<void> {
  app.get("/dev/mail.json", { schema: { hide: true } }, async (request, reply) => {
    const { to } = mailboxQuery.parse(request.query);
    void reply.header("cache-control", "no-store");
    return readMails(deps.db, to);
  });

  app.get("/dev/mail", { schema: { hide: true } }, async (_request, reply) =>
    reply
      .type("text/html; charset=utf-8")
      .header("cache-control", "no-store")
      // Mails are shown in frames without scripts or an origin of their own.
      .header(
        "content-security-policy",
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      )
      .send(renderMailbox(await readMails(deps.db, undefined))),
  );

  app.post("/dev/clock", { schema: { hide: true, body: clockBody } }, async (request, reply) => {
    const { advance_seconds: seconds } = clockBody.parse(request.body);
    const now = await deps.clock.advance(seconds);
    void reply.header("cache-control", "no-store");
    return { now: now.toISOString() };
  });
}

async function readMails(db: Db, to: string | undefined): Promise<MailboxMail[]> {
  const rows = await db
    .selectFrom("development_mails")
    .selectAll()
    .$if(to !== undefined, (query) =>
      query.where((eb) => eb(eb.fn<string>("lower", ["recipient"]), "=", (to ?? "").toLowerCase())),
    )
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(mailsMax)
    .execute();
  return rows.map((row) => ({
    to: row.recipient,
    subject: row.subject,
    text: row.text_body,
    html: row.html_body,
    created_at: row.created_at.toISOString(),
  }));
}
