import type { Db } from "#src/platform/database/db.ts";
import type { DeliverableMail } from "./outbox.ts";

const mailsMax = 200;

/** Once, even when a job that died after the insert runs again. */
export async function insertDevelopmentMail(
  db: Db,
  mail: DeliverableMail,
  now: Date,
): Promise<void> {
  await db
    .insertInto("development_mails")
    .values({
      id: mail.id,
      recipient: mail.to,
      subject: mail.subject,
      text_body: mail.text,
      html_body: mail.html,
      reply_to: mail.replyTo ?? null,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

/** The newest mails, of one recipient when `to` is given. */
export function selectDevelopmentMails(db: Db, to: string | undefined) {
  return db
    .selectFrom("development_mails")
    .selectAll()
    .$if(to !== undefined, (query) =>
      query.where((eb) => eb(eb.fn<string>("lower", ["recipient"]), "=", (to ?? "").toLowerCase())),
    )
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(mailsMax)
    .execute();
}

export function selectDevelopmentMail(db: Db, id: string) {
  return db.selectFrom("development_mails").selectAll().where("id", "=", id).executeTakeFirst();
}
