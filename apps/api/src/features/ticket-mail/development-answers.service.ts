import { randomUUID } from "node:crypto";
import type { Db } from "#src/platform/database/db.ts";
import { selectDevelopmentMail } from "#src/platform/mail/development-mails.repository.ts";
import type { InboundMails } from "./inbound-mails.service.ts";

/** Answers a mail of the development mailbox, as a mail program of its receiver would. */
export function answerDevelopmentMail(db: Db, inbound: InboundMails) {
  return async ({ id, text }: { readonly id: string; readonly text: string }): Promise<void> => {
    const mail = await selectDevelopmentMail(db, id);
    if (mail?.reply_to == null) return;
    const quoted = mail.text_body.replaceAll(/^/gm, "> ");
    const body = `${text}\n\nOn ${mail.created_at.toUTCString()} Palisade wrote:\n${quoted}`;
    const source = [
      `From: <${mail.recipient}>`,
      `To: <${mail.reply_to}>`,
      `Message-ID: <${randomUUID()}@palisade.localhost>`,
      "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: base64",
      "",
      Buffer.from(body).toString("base64").replaceAll(/.{76}/g, "$&\r\n"),
    ].join("\r\n");
    await inbound.keep({
      via: "development",
      recipient: mail.reply_to,
      sender: mail.recipient,
      source: Buffer.from(source),
    });
  };
}
