import { newId } from "#src/platform/database/ids.ts";
import type { InboundMailReason } from "#src/schema/inbound-mails.ts";
import type { TestApp } from "./test-app.ts";

export interface QuarantinedMailSample {
  readonly ticketId: string | null;
  readonly reason?: InboundMailReason;
  /** Lines below the usual headers, with further headers. */
  readonly lines?: readonly string[];
}

/** A mail as its processing leaves one in quarantine. @returns its id */
export async function addQuarantinedMail(
  testApp: TestApp,
  { ticketId, reason = "wrong_sender", lines = ["", "It works now."] }: QuarantinedMailSample,
): Promise<string> {
  const id = newId();
  const from = "other@example.com";
  const subject = "Re: Players cannot join";
  const source = Buffer.from([`From: ${from}`, `Subject: ${subject}`, ...lines].join("\r\n"));
  const isRead = reason !== "unreadable";
  const now = testApp.clock.now();
  await testApp.platform.db
    .insertInto("inbound_mails")
    .values({
      id,
      delivery_key: id,
      via: "smtp",
      recipient: "support+1001.abcdefghijklmnop@palisade.example",
      sender: from,
      source,
      size_bytes: source.length,
      status: "quarantined",
      reason,
      ticket_id: ticketId,
      from_address: isRead ? from : null,
      subject: isRead ? subject : null,
      received_at: now,
      processed_at: now,
    })
    .execute();
  return id;
}
