import {
  typingSeconds,
  ticketChannel,
  type LivePerson,
} from "@palisade/contract/http/live-channel";
import type { Logger } from "pino";
import { z } from "zod";
import type { Bus } from "#src/platform/database/bus.ts";
import type { Db } from "#src/platform/database/db.ts";
import { newId } from "#src/platform/database/ids.ts";
import type { TicketWatcher } from "./live-viewer.ts";
import type { TicketTopics } from "./ticket-topics.ts";

const presenceChannel = "palisade_live_presence";

const person = z.object({ user: z.string(), staff: z.boolean(), name: z.string() });
const ticketChange = z.object({
  ticket: z.string(),
  /** Everyone who looks at the ticket through the sending process. */
  people: z.array(person).optional(),
  /** Asks the other processes for theirs. */
  asks: z.boolean().optional(),
  writes: person.optional(),
});
const announcement = z.object({
  process: z.string(),
  ends: z.boolean().optional(),
  changes: z.array(ticketChange),
});

type Person = z.infer<typeof person>;
type TicketChange = z.infer<typeof ticketChange>;

/** Tells who looks at a ticket and who writes, across all api processes. Nothing of it is stored. */
export interface Presence {
  start(): Promise<void>;
  stop(): Promise<void>;
  joined(ticketId: string, watcher: TicketWatcher): void;
  left(ticketId: string): void;
  typing(ticketId: string, watcher: TicketWatcher): void;
}

export interface PresenceDeps {
  readonly db: Db;
  readonly bus: Bus;
  readonly topics: Pick<TicketTopics, "watchers" | "watchedTickets">;
  readonly log: Logger;
  readonly now?: () => number;
}

/** Changes of this time travel together. */
const gatherMs = 100;
const aliveMs = 10_000;
/** A process that was not heard of for this long has died. */
const deadMs = 25_000;
/** PostgreSQL takes 8000 bytes. */
const payloadBytesMax = 7_000;
const peopleMax = 20;

export function createPresence({
  db,
  bus,
  topics,
  log,
  now = performance.now.bind(performance),
}: PresenceDeps): Presence {
  const processId = newId();
  /** People at other processes, by process and ticket. */
  const elsewhere = new Map<string, { heardAt: number; tickets: Map<string, readonly Person[]> }>();
  const shown = new WeakMap<TicketWatcher, string>();
  const typedAt = new WeakMap<TicketWatcher, number>();
  const waiting = new Map<string, TicketChange>();
  const endings: (() => void)[] = [];
  let gathering: NodeJS.Timeout | undefined;
  let beating: NodeJS.Timeout | undefined;

  function tell(entry: TicketChange): void {
    waiting.set(entry.ticket, { ...waiting.get(entry.ticket), ...entry });
    gathering ??= setTimeout(() => void publish(), gatherMs);
  }

  async function publish(ends = false): Promise<void> {
    clearTimeout(gathering);
    gathering = undefined;
    const entries = [...waiting.values()];
    waiting.clear();
    const parts = ends ? [[]] : inParts(entries);
    try {
      for (const part of parts) {
        const payload = JSON.stringify({
          process: processId,
          changes: part,
          ...(ends && { ends }),
        });
        await bus.notify(db, presenceChannel, payload);
      }
    } catch (error) {
      // Shown a little wrong until the next change: no reason to fail anything.
      log.debug({ err: error }, "Presence was not announced");
    }
  }

  function localPeople(ticketId: string): Person[] {
    const people = new Map<string, Person>();
    for (const watcher of topics.watchers(ticketId)) {
      people.set(watcher.viewer.userId, personOf(watcher));
    }
    return [...people.values()].slice(0, peopleMax);
  }

  function show(ticketId: string): void {
    const watchers = topics.watchers(ticketId);
    if (watchers.size === 0) return;
    const people = new Map(localPeople(ticketId).map((each) => [each.user, each]));
    for (const { tickets } of elsewhere.values()) {
      for (const each of tickets.get(ticketId) ?? []) people.set(each.user, each);
    }
    for (const watcher of watchers) {
      const others = [...people.values()].filter(({ user }) => user !== watcher.viewer.userId);
      const seen = distinct(others.map((each) => seenBy(watcher, each)));
      const text = JSON.stringify(seen);
      // Nothing is shown before the first people are.
      if ((shown.get(watcher) ?? "[]") === text) continue;
      shown.set(watcher, text);
      watcher.send({
        event: "presence",
        data: { channel: ticketChannel(ticketId), people: seen },
      });
    }
  }

  function showTyping(ticketId: string, writer: Person): void {
    for (const watcher of topics.watchers(ticketId)) {
      if (watcher.viewer.userId === writer.user) continue;
      const data = { channel: ticketChannel(ticketId), ...seenBy(watcher, writer) };
      watcher.send({ event: "typing", data });
    }
  }

  function hear(payload: string): void {
    const told = parse(payload);
    if (told === undefined || told.process === processId) return;
    if (told.ends === true) {
      forget(told.process);
      return;
    }
    const known = elsewhere.get(told.process) ?? { heardAt: 0, tickets: new Map() };
    elsewhere.set(told.process, known);
    known.heardAt = now();
    for (const { ticket, people, asks, writes } of told.changes) {
      const isWatched = topics.watchers(ticket).size > 0;
      if (people !== undefined) {
        // A process that begins to watch a ticket asks.
        if (isWatched && people.length > 0) known.tickets.set(ticket, people);
        else known.tickets.delete(ticket);
        show(ticket);
      }
      if (isWatched && asks === true) tell({ ticket, people: localPeople(ticket) });
      if (isWatched && writes !== undefined) showTyping(ticket, writes);
    }
  }

  function forget(name: string): void {
    const tickets = elsewhere.get(name)?.tickets.keys() ?? [];
    elsewhere.delete(name);
    for (const ticket of tickets) show(ticket);
  }

  /** After notifications were lost. */
  function askAgain(): void {
    for (const ticket of topics.watchedTickets()) {
      tell({ ticket, people: localPeople(ticket), asks: true });
    }
  }

  return {
    async start() {
      endings.push(await bus.listen(presenceChannel, hear, askAgain));
      beating = setInterval(() => {
        for (const [name, { heardAt }] of elsewhere) if (now() - heardAt > deadMs) forget(name);
        if (waiting.size === 0) void publishAlive();
      }, aliveMs);
    },
    async stop() {
      clearInterval(beating);
      for (const end of endings) end();
      await publish(true);
    },
    joined(ticketId, watcher) {
      const isFirst = topics.watchers(ticketId).size === 1;
      tell({ ticket: ticketId, people: localPeople(ticketId), ...(isFirst && { asks: true }) });
      shown.delete(watcher);
      show(ticketId);
    },
    left(ticketId) {
      tell({ ticket: ticketId, people: localPeople(ticketId) });
      if (topics.watchers(ticketId).size === 0) {
        for (const { tickets } of elsewhere.values()) tickets.delete(ticketId);
      } else show(ticketId);
    },
    typing(ticketId, watcher) {
      if (now() - (typedAt.get(watcher) ?? -Infinity) < typingSeconds * 500) return;
      typedAt.set(watcher, now());
      const writes = personOf(watcher);
      showTyping(ticketId, writes);
      tell({ ticket: ticketId, writes });
    },
  };

  async function publishAlive(): Promise<void> {
    // Without anyone here, no other process has anyone to forget.
    if ([...topics.watchedTickets()].length === 0) return;
    await bus
      .notify(db, presenceChannel, JSON.stringify({ process: processId, changes: [] }))
      .catch((error: unknown) => log.debug({ err: error }, "Presence was not announced"));
  }
}

function personOf({ viewer, asStaff }: TicketWatcher): Person {
  return { user: viewer.userId, staff: asStaff, name: viewer.name };
}

/** Customers see that support is there, not which employee. */
function seenBy(watcher: TicketWatcher, { staff, name }: Person): LivePerson {
  return { is_admin: staff, name: staff && !watcher.asStaff ? "Support" : name };
}

function distinct(people: readonly LivePerson[]): LivePerson[] {
  const known = new Map(people.map((each) => [`${each.is_admin} ${each.name}`, each]));
  return [...known.values()].toSorted((a, b) => a.name.localeCompare(b.name));
}

function inParts(entries: readonly TicketChange[]): TicketChange[][] {
  const parts: TicketChange[][] = [];
  let bytes = payloadBytesMax;
  for (const entry of entries) {
    const size = Buffer.byteLength(JSON.stringify(entry)) + 1;
    if (bytes + size > payloadBytesMax) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(entry);
    bytes += size;
  }
  return parts;
}

function parse(payload: string): z.infer<typeof announcement> | undefined {
  try {
    return announcement.safeParse(JSON.parse(payload)).data;
  } catch {
    return undefined;
  }
}
