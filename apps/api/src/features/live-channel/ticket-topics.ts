import type { Logger } from "pino";
import type { Bus } from "#src/platform/database/bus.ts";
import type { Db } from "#src/platform/database/db.ts";
import {
  readTicketEvent,
  ticketEventsChannel,
} from "#src/features/tickets/ticket-events.service.ts";
import { presentMessage, type AttachmentRow } from "./live-message.presenter.ts";
import {
  selectAttachmentsOf,
  selectMessagesBehind,
  selectTicketHeads,
  type MessageRow,
} from "./live-messages.repository.ts";
import type { TicketWatcher } from "./live-viewer.ts";

export type TicketHead = Awaited<ReturnType<typeof selectTicketHeads>>[number];

/** The watched tickets of this process. */
export interface TicketTopics {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** @param head as read for this watcher: it gets everything that was committed later */
  add(head: TicketHead, watcher: TicketWatcher): void;
  remove(ticketId: string, watcher: TicketWatcher): void;
  watchers(ticketId: string): ReadonlySet<TicketWatcher>;
  watchedTickets(): Iterable<string>;
}

export interface TicketTopicsDeps {
  readonly db: Db;
  readonly bus: Bus;
  readonly log: Logger;
}

interface Topic {
  readonly watchers: Set<TicketWatcher>;
  /** The position of the newest message that was sent. */
  position: number;
  /** The newest status and time that were sent. */
  status: string;
}

/** Tickets and messages that one round reads. A message has 10,000 characters at most. */
const ticketsAtOnce = 100;
const messagesAtOnce = 200;
const retryMs = 500;
const noWatchers: ReadonlySet<TicketWatcher> = new Set();

/**
 * Sends new messages and states of tickets to their watchers. A notification only says that a ticket
 * has changed: everything behind the last sent position is read from PostgreSQL, once for all watchers.
 * So nothing is missing after notifications were lost, and the order is that of the positions, which a
 * writer takes while it holds the ticket.
 */
export function createTicketTopics({ db, bus, log }: TicketTopicsDeps): TicketTopics {
  const topics = new Map<string, Topic>();
  const changed = new Set<string>();
  const endings: (() => void)[] = [];
  let running: Promise<void> | undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  function note(ticketIds: Iterable<string>): void {
    for (const id of ticketIds) if (topics.has(id)) changed.add(id);
    if (changed.size === 0 || stopped || running !== undefined) return;
    clearTimeout(timer);
    running = sendChanges().finally(() => {
      running = undefined;
    });
  }

  async function sendChanges(): Promise<void> {
    while (changed.size > 0 && !stopped) {
      const ids = [...changed].slice(0, ticketsAtOnce);
      for (const id of ids) changed.delete(id);
      try {
        await sendTickets(ids);
      } catch (error) {
        log.warn({ err: error }, "New messages of watched tickets cannot be read yet");
        for (const id of ids) changed.add(id);
        if (!stopped) timer = setTimeout(() => note([]), retryMs);
        return;
      }
    }
  }

  async function sendTickets(ids: readonly string[]): Promise<void> {
    const positions = new Map(
      ids.flatMap((id) => {
        const topic = topics.get(id);
        return topic === undefined ? [] : [[id, topic.position] as const];
      }),
    );
    const messages = await selectMessagesBehind(db, positions, messagesAtOnce);
    const files =
      messages.length === 0
        ? []
        : await selectAttachmentsOf(
            db,
            messages.map(({ id }) => id),
          );
    const filesOf = Map.groupBy(files, (file) => file.message_id);
    for (const message of messages) sendMessage(message, filesOf.get(message.id) ?? []);
    // There may be more; each ticket goes on where its messages ended.
    if (messages.length === messagesAtOnce) for (const id of ids) changed.add(id);
    for (const head of await selectTicketHeads(db, ids)) sendState(head);
  }

  function sendMessage(message: MessageRow, files: readonly AttachmentRow[]): void {
    const topic = topics.get(message.ticket_id);
    if (topic === undefined || message.position <= topic.position) return;
    topic.position = message.position;
    for (const watcher of topic.watchers) {
      if (message.is_internal && !watcher.asStaff) continue;
      watcher.send({ event: "new-message", data: presentMessage(message, files, watcher.viewer) });
    }
  }

  function sendState(head: TicketHead): void {
    const topic = topics.get(head.id);
    const status = statusOf(head);
    if (topic === undefined || topic.status === status) return;
    topic.status = status;
    for (const watcher of topic.watchers) {
      watcher.send({
        event: "status-updated",
        data: {
          ticket_id: head.id,
          status: head.status,
          updated_at: head.updated_at.toISOString(),
        },
      });
    }
  }

  return {
    async start() {
      const onEvent = (payload: string): void => {
        const event = readTicketEvent(payload);
        if (event !== null) note([event.ticket_id]);
      };
      endings.push(await bus.listen(ticketEventsChannel, onEvent, () => note(topics.keys())));
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      for (const end of endings) end();
      await running;
    },
    add(head, watcher) {
      const topic = topics.get(head.id);
      if (topic !== undefined) {
        topic.watchers.add(watcher);
        return;
      }
      topics.set(head.id, {
        watchers: new Set([watcher]),
        position: head.position,
        status: statusOf(head),
      });
    },
    remove(ticketId, watcher) {
      const topic = topics.get(ticketId);
      topic?.watchers.delete(watcher);
      if (topic?.watchers.size === 0) topics.delete(ticketId);
    },
    watchers: (ticketId) => topics.get(ticketId)?.watchers ?? noWatchers,
    watchedTickets: () => topics.keys(),
  };
}

function statusOf({ status, updated_at }: TicketHead): string {
  return `${status} ${updated_at.toISOString()}`;
}
