import { addMessage } from "#src/features/tickets/ticket-messages.service.ts";
import { createFileStore } from "#src/platform/files/file-store.ts";
import { newId } from "#src/platform/database/ids.ts";
import { hashToken } from "#src/platform/security/tokens.ts";
import type { RouteSample } from "./route-sample.ts";
import type { TestApp } from "./test-app.ts";
import type { TestWorld } from "./test-world.ts";

export const ticketBody = {
  category: "technical",
  severity: "medium",
  subject: "Players cannot join",
  message: "Since noon, players cannot join.",
} as const;

/** One red pixel. */
export const tinyPng = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

/**
 * A ticket as the call leaves one, with a picture; without the call, whose limit is small.
 *
 * @returns ids of the ticket, its message and its file
 */
export async function addTicket(
  testApp: TestApp,
  userId: string,
  {
    isClosed = false,
    shieldId = null,
    text = ticketBody.message,
  }: { isClosed?: boolean; shieldId?: string | null; text?: string } = {},
): Promise<{ readonly id: string; readonly messageId: string; readonly file: string }> {
  const { db, config } = testApp.platform;
  const now = testApp.clock.now();
  const [id, messageId, file] = [newId(), newId(), newId()];
  const { category, severity } = ticketBody;
  await db
    .insertInto("tickets")
    .values({
      id,
      category,
      severity,
      subject: text,
      user_id: userId,
      shield_id: shieldId,
      status: isClosed ? "closed" : "open",
      snapshot: null,
      closed_at: isClosed ? now : null,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await db
    .insertInto("ticket_messages")
    .values({
      id: messageId,
      ticket_id: id,
      position: 1,
      author_id: userId,
      is_admin: false,
      body: text,
      source: "console",
      created_at: now,
    })
    .execute();
  const key = `attachments/${now.toISOString().slice(0, 10)}/${file}`;
  await createFileStore(config.files).put({ key, bytes: tinyPng, contentType: "image/png" });
  await db
    .insertInto("ticket_attachments")
    .values({
      id: file,
      ticket_id: id,
      message_id: messageId,
      user_id: userId,
      original_name: "screen.png",
      type: "png",
      size_bytes: tinyPng.length,
      storage_key: key,
      position: 0,
      created_at: now,
    })
    .execute();
  return { id, messageId, file };
}

/** A note of staff in the ticket, which its customer never sees. */
export async function addNote(testApp: TestApp, ticketId: string, body: string): Promise<void> {
  const { db, bus } = testApp.platform;
  await db.transaction().execute((trx) =>
    addMessage(bus, trx, {
      ticketId,
      authorId: null,
      isAdmin: true,
      isInternal: true,
      body,
      source: "console",
      files: [],
      now: testApp.clock.now(),
    }),
  );
}

/** The account that the caller acts for; an API key acts for the owner. */
async function actingUser(
  world: TestWorld,
  token: string | undefined,
): Promise<string | undefined> {
  if (token === undefined || token === world.edgeCredential) return undefined;
  if (token.startsWith("psk_")) return world.owner.id;
  const session = await world.testApp.platform.db
    .selectFrom("sessions")
    .select("user_id")
    .where("token_hash", "=", hashToken(token))
    .executeTakeFirst();
  return session?.user_id;
}

function ofTicket(isClosed: boolean, body?: object): RouteSample {
  return async (world, token) => {
    const userId = await actingUser(world, token);
    const { id } =
      userId === undefined ? { id: newId() } : await addTicket(world.testApp, userId, { isClosed });
    return { params: { id }, ...(body && { body }) };
  };
}

const ofFile: RouteSample = async (world, token) => {
  const userId = await actingUser(world, token);
  if (userId === undefined) return { params: { id: newId(), file: newId() } };
  const { id, file } = await addTicket(world.testApp, userId);
  return { params: { id, file } };
};

export const ticketSamples = {
  "tickets.list": () => ({}),
  "tickets.create": () => ({ body: ticketBody }),
  "tickets.get": ofTicket(false),
  "tickets.reply": ofTicket(false, { message: "Now it works again." }),
  "tickets.close": ofTicket(false),
  "tickets.reopen": ofTicket(true),
  "tickets.rate": ofTicket(true, { score: 4, comment: "Quick" }),
  "tickets.downloadAttachment": ofFile,
  "tickets.viewAttachment": ofFile,
} satisfies Readonly<Record<string, RouteSample>>;
