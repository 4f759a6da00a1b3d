import type {
  NotificationData,
  NotificationEvent,
} from "@palisade/contract/http/notification-events";
import type { Trx } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import { insertEvents, wakeNotifications } from "./notification-events.repository.ts";

type OfShield = "server_id" | "server_name";

/** Something that has happened to a shield. Its name is added when the event is sent. */
export type Announcement = {
  readonly [T in NotificationEvent]: {
    readonly shieldId: string;
    readonly kind: T;
    readonly at: Date;
    /** Messages of one thread are about the same; chats show one message of it. */
    readonly thread?: string;
    readonly data: Omit<NotificationData<T>, OfShield>;
  };
}[NotificationEvent];

/** Stores what owners are to be told. It is sent if, and soon after, the transaction commits. */
export async function announce(trx: Trx, events: readonly Announcement[]): Promise<void> {
  if (events.length === 0) return;
  await insertEvents(
    trx,
    events.map(({ shieldId, kind, at, thread, data }) => ({
      id: newId(),
      shield_id: shieldId,
      kind,
      thread: thread ?? null,
      at,
      data: JSON.stringify(data),
    })),
  );
  await wakeNotifications(trx);
}
