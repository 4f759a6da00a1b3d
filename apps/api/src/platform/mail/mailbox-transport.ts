import type { Clock } from "#src/platform/clock/clock.ts";
import type { Db } from "#src/platform/database/db.ts";
import type { MailTransport } from "./outbox.ts";

/** Keeps mails in the development mailbox, shown at /dev/mail. */
export function createMailboxTransport(db: Db, clock: Clock): MailTransport {
  return {
    async deliver(mail) {
      await db
        .insertInto("development_mails")
        .values({
          id: mail.id,
          recipient: mail.to,
          subject: mail.subject,
          text_body: mail.text,
          html_body: mail.html,
          created_at: clock.now(),
        })
        // A job that died after the insert runs again.
        .onConflict((conflict) => conflict.column("id").doNothing())
        .execute();
    },
  };
}
