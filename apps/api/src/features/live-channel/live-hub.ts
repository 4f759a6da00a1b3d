import { channelCaps, closeCodes, type ClientFrame } from "@palisade/contract/http/live-channel";
import type { Logger } from "pino";
import { z } from "zod";
import type { Bus } from "#src/platform/database/bus.ts";
import type { Db } from "#src/platform/database/db.ts";
import { DomainError } from "#src/platform/errors/domain-error.ts";
import { openLiveConnection, type LiveConnection, type LiveWebSocket } from "./live-connection.ts";
import type { LiveMetrics } from "./live-metrics.ts";
import type { LiveViewer, TicketWatcher } from "./live-viewer.ts";
import type { LiveViewers } from "./live-viewers.service.ts";
import type { Presence } from "./presence.ts";
import { selectTicketHeads } from "./ticket-heads.repository.ts";
import type { TicketTopics } from "./ticket-topics.ts";

/** The trigger of migration 0146 notifies it, with the session's id. */
const sessionEndsChannel = "palisade_session_ended";

export interface LiveHubDeps {
  readonly db: Db;
  readonly bus: Bus;
  readonly viewers: LiveViewers;
  readonly topics: TicketTopics;
  readonly presence: Presence;
  readonly metrics: LiveMetrics;
  readonly log: Logger;
}

/** The open connections of this process. */
export interface LiveHub {
  start(): Promise<void>;
  stop(): void;
  open(socket: LiveWebSocket, acceptLanguage: string | undefined): void;
  /** Pings every connection, and ends those whose session has ended or whose rights have changed. */
  beat(): Promise<void>;
  /** Ends all, and every one that is opened later: another api takes them. */
  shutDown(): void;
}

interface Held {
  /** Set before the connection is authenticated: a session that ends then ends the connection. */
  owner: LiveViewer | undefined;
  readonly tickets: Map<string, TicketWatcher>;
}

export function createLiveHub(deps: LiveHubDeps): LiveHub {
  const { db, bus, viewers, topics, presence, metrics, log } = deps;
  const connections = new Map<LiveConnection, Held>();
  const bySession = createGroups();
  const byUser = createGroups();
  const endings: (() => void)[] = [];
  let isShutDown = false;

  function held(connection: LiveConnection): Held {
    // A connection that has ended is no longer there; its last frames change nothing.
    return connections.get(connection) ?? { owner: undefined, tickets: new Map() };
  }

  async function authenticate(
    connection: LiveConnection,
    token: string,
  ): Promise<LiveViewer | number> {
    const viewer = await viewers.ofToken(token);
    if (viewer === "unknown") return closeCodes.authenticationFailed;
    if (viewer === "expired") return closeCodes.expired;
    if (byUser.of(viewer.userId).size >= channelCaps.connections) return closeCodes.tooMany;
    const own = connections.get(connection);
    if (own === undefined) return closeCodes.goingAway;
    own.owner = viewer;
    bySession.add(viewer.sessionId, connection);
    byUser.add(viewer.userId, connection);
    // Read again: its end may have been announced before the connection was known by it.
    return (
      (await viewers.ofSessions([viewer.sessionId])).get(viewer.sessionId) ?? closeCodes.expired
    );
  }

  async function handle(connection: LiveConnection, frame: ClientFrame): Promise<void> {
    if (frame.event === "authenticate") return;
    const ticketId = ticketOf(frame.data.channel);
    const { tickets } = held(connection);
    const watcher = tickets.get(ticketId);
    if (frame.event === "subscribe") await subscribe(connection, ticketId);
    else if (watcher === undefined) throw new DomainError("not_found");
    else if (frame.event === "typing") presence.typing(ticketId, watcher);
    else {
      tickets.delete(ticketId);
      leave(ticketId, watcher);
    }
  }

  async function subscribe(connection: LiveConnection, ticketId: string): Promise<void> {
    const viewer = connection.viewer();
    const { tickets } = held(connection);
    if (viewer === undefined) return;
    const known = tickets.get(ticketId);
    if (known === undefined && tickets.size >= channelCaps.subscriptions) {
      throw new DomainError("rate_limited", { values: { seconds: channelCaps.framesSeconds } });
    }
    const [head] = await selectTicketHeads(db, [ticketId]);
    const isOwn = head?.user_id === viewer.userId;
    if (head === undefined || !(isOwn || viewer.isStaff)) throw new DomainError("not_found");
    // It may have ended while the ticket was read.
    if (!connections.has(connection)) return;
    const watcher = known ?? { viewer, asStaff: !isOwn, send: connection.send };
    if (known === undefined) {
      tickets.set(ticketId, watcher);
      topics.add(head, watcher);
    }
    connection.send({ event: "subscribed", data: { channel: `ticket-${ticketId}` } });
    presence.joined(ticketId, watcher);
  }

  function leave(ticketId: string, watcher: TicketWatcher): void {
    topics.remove(ticketId, watcher);
    presence.left(ticketId);
  }

  function ended(connection: LiveConnection): void {
    const { owner, tickets } = held(connection);
    connections.delete(connection);
    if (owner !== undefined) {
      bySession.remove(owner.sessionId, connection);
      byUser.remove(owner.userId, connection);
    }
    for (const [ticketId, watcher] of tickets) leave(ticketId, watcher);
  }

  function endSession(sessionId: string): void {
    for (const connection of [...bySession.of(sessionId)]) connection.close(closeCodes.expired);
  }

  async function endOutdated(): Promise<void> {
    const ids = new Set(bySession.keys());
    if (ids.size === 0) return;
    const current = await viewers.ofSessions([...ids]);
    for (const connection of connections.keys()) {
      const viewer = connection.viewer();
      // A connection that authenticates just now has read its session itself.
      if (viewer === undefined || !ids.has(viewer.sessionId)) continue;
      const isSame = current.get(viewer.sessionId)?.isStaff === viewer.isStaff;
      if (!isSame) connection.close(closeCodes.expired);
    }
  }

  function endOutdatedLater(): void {
    endOutdated().catch((error: unknown) =>
      log.warn({ err: error }, "The sessions of live connections cannot be read yet"),
    );
  }

  return {
    async start() {
      endings.push(await bus.listen(sessionEndsChannel, endSession, endOutdatedLater));
    },
    stop() {
      for (const end of endings) end();
    },
    open(socket, acceptLanguage) {
      const connection = openLiveConnection(socket, acceptLanguage, {
        authenticate,
        handle,
        ended,
        metrics,
        log,
      });
      connections.set(connection, { owner: undefined, tickets: new Map() });
      if (isShutDown) connection.close(closeCodes.goingAway);
    },
    async beat() {
      for (const connection of connections.keys()) connection.beat();
      await endOutdated();
    },
    shutDown() {
      isShutDown = true;
      for (const connection of connections.keys()) connection.close(closeCodes.goingAway);
    },
  };
}

/** Connections by an id they share. */
function createGroups() {
  const groups = new Map<string, Set<LiveConnection>>();
  const none: ReadonlySet<LiveConnection> = new Set();
  return {
    of: (id: string): ReadonlySet<LiveConnection> => groups.get(id) ?? none,
    keys: () => groups.keys(),
    add(id: string, connection: LiveConnection): void {
      const group = groups.get(id) ?? new Set();
      groups.set(id, group.add(connection));
    },
    remove(id: string, connection: LiveConnection): void {
      const group = groups.get(id);
      group?.delete(connection);
      if (group?.size === 0) groups.delete(id);
    },
  };
}

const ticketName = z.templateLiteral(["ticket-", z.uuid()]);

/** @throws DomainError `not_found` */
function ticketOf(channel: string): string {
  if (!ticketName.safeParse(channel).success) throw new DomainError("not_found");
  return channel.slice("ticket-".length);
}
