import type { Logger } from "pino";
import type { Bus } from "#src/platform/database/bus.ts";
import type { Db } from "#src/platform/database/db.ts";
import {
  readTicketEvent,
  ticketEventsChannel,
} from "#src/features/tickets/ticket-events.service.ts";
import {
  readMessagesAfter,
  type ReadMessage,
} from "#src/features/tickets/ticket-messages.service.ts";
import { selectTicketHeads } from "./ticket-heads.repository.ts";
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

const ticketsAtOnce = 100;
/** A message has 10,000 characters at most. */
const messagesAtOnce = 100;
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
    const before = new Map(ids.map((id) => [id, topics.get(id)]));
    for (const head of await selectTicketHeads(db, ids)) {
      const topic = topics.get(head.id);
      // A topic that has begun since is further than what was read.
      if (topic === undefined || topic !== before.get(head.id)) continue;
      while (topic.position < head.position) {
        const window = { position: topic.position, max: messagesAtOnce };
        const messages = await readMessagesAfter(db, head.id, window);
        for (const message of messages) sendMessage(topic, message);
        // None: those that were there have been deleted since.
        if (messages.length === 0) topic.position = head.position;
      }
      sendState(topic, head);
    }
  }

  function sendMessage(topic: Topic, message: ReadMessage): void {
    topic.position = message.position;
    for (const { asStaff, viewer, send } of topic.watchers) {
      if (message.isInternal && !asStaff) continue;
      const { ticketId: ticket_id, isInternal: is_internal } = message;
      const data = { ...message.present(viewer.userId), ticket_id, is_internal };
      send({ event: "new-message", data });
    }
  }

  function sendState(topic: Topic, head: TicketHead): void {
    const status = statusOf(head);
    if (topic.status === status) return;
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
