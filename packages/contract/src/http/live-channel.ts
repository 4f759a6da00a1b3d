import { z } from "zod";
import { timestamp, uuid } from "./fields.ts";
import { route } from "./route.ts";
import { ticketMessage, ticketStatuses } from "./tickets.ts";

/** Path of the WebSocket, on the console's own host. */
export const socketsPath = "/sockets";

/** A token is used once, and within this time. */
export const liveTokenSeconds = 60;

export const closeCodes = {
  /** The token is unknown, used or of someone else: trying again does not help. */
  authenticationFailed: 1008,
  /** The token or the login behind it has expired: fetch another token and try again. */
  expired: 4401,
  /** The account has too many connections. */
  tooMany: 4429,
  /** The api shuts down: connect to another one. */
  goingAway: 1001,
  /** The client reads more slowly than the server sends: connect again and read the ticket anew. */
  tooSlow: 1013,
} as const;

/** More than this closes the connection. */
export const channelCaps = {
  frameBytes: 8 * 1024,
  /** Within `framesSeconds`, of any kind. */
  frames: 20,
  framesSeconds: 10,
  /** An account may have so many at each api process. */
  connections: 10,
  subscriptions: 20,
  /** From the connection to `authenticate`. */
  authenticateSeconds: 10,
} as const;

/** The server sends a heartbeat this often. A client that hears nothing for twice as long is offline. */
export const heartbeatSeconds = 25;
/** A person who writes is shown as writing for this long; a client says it at most once in this time. */
export const typingSeconds = 4;

/** Name of the channel of a ticket. */
export const ticketChannel = (ticketId: string): string => `ticket-${ticketId}`;

const channel = z
  .string()
  .max(64)
  .regex(/^[a-z]+(-[0-9a-f-]+)?$/);

/** A client sends these as JSON texts. */
export const clientFrame = z.discriminatedUnion("event", [
  z.object({ event: z.literal("authenticate"), data: z.object({ token: z.string().max(200) }) }),
  z.object({ event: z.literal("subscribe"), data: z.object({ channel }) }),
  z.object({ event: z.literal("unsubscribe"), data: z.object({ channel }) }),
  z.object({ event: z.literal("typing"), data: z.object({ channel }) }),
]);

const person = z.object({ is_admin: z.boolean(), name: z.string() });

/** The server sends these. */
export const serverFrame = z.discriminatedUnion("event", [
  z.object({ event: z.literal("authenticated"), data: z.object({}) }),
  z.object({ event: z.literal("subscribed"), data: z.object({ channel }) }),
  z.object({ event: z.literal("heartbeat"), data: z.object({}) }),
  z.object({
    event: z.literal("new-message"),
    data: ticketMessage.extend({
      ticket_id: uuid,
      is_internal: z.boolean().describe("A note among staff; customers never get one"),
    }),
  }),
  z.object({
    event: z.literal("status-updated"),
    data: z.object({ ticket_id: uuid, status: z.enum(ticketStatuses), updated_at: timestamp }),
  }),
  z.object({
    event: z.literal("typing"),
    data: person.extend({ channel }),
  }),
  z.object({
    event: z.literal("presence"),
    data: z.object({ channel, people: z.array(person).describe("Without the receiver") }),
  }),
  z.object({
    event: z.literal("error"),
    data: z.object({ code: z.string(), message: z.string() }),
  }),
]);

export type ClientFrame = z.infer<typeof clientFrame>;
export type ServerFrame = z.infer<typeof serverFrame>;
export type LivePerson = z.infer<typeof person>;
export type LiveMessage = Extract<ServerFrame, { event: "new-message" }>["data"];

const token = {
  family: "api",
  access: "customer",
  apiKey: "none",
  response: z.object({ token: z.string(), expires_at: timestamp }),
  errors: ["unauthenticated", "forbidden"],
  limits: [{ per: "user", max: 120, windowSeconds: 60, perProcess: true }],
  audited: false,
} as const;

export const createLiveToken = route({
  ...token,
  id: "liveChannel.createToken",
  method: "POST",
  path: "/sockets/token",
  summary: "A token for the live channel",
  success: 201,
});

/** The same for programs that know the call by its earlier name. */
export const readLiveToken = route({
  ...token,
  id: "liveChannel.readToken",
  method: "GET",
  path: "/websocket/token",
  summary: "A token for the live channel, by its earlier name",
  success: 200,
});

export const liveChannelRoutes = { createLiveToken, readLiveToken };
