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
} as const;

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

/** The server sends these. */
export const serverFrame = z.discriminatedUnion("event", [
  z.object({ event: z.literal("authenticated"), data: z.object({}) }),
  z.object({ event: z.literal("subscribed"), data: z.object({ channel }) }),
  z.object({ event: z.literal("new-message"), data: ticketMessage.extend({ ticket_id: uuid }) }),
  z.object({
    event: z.literal("status-updated"),
    data: z.object({ ticket_id: uuid, status: z.enum(ticketStatuses), updated_at: timestamp }),
  }),
  z.object({
    event: z.literal("typing"),
    data: z.object({ channel, is_admin: z.boolean(), name: z.string() }),
  }),
  z.object({
    event: z.literal("presence"),
    data: z.object({
      channel,
      people: z.array(z.object({ is_admin: z.boolean(), name: z.string() })),
    }),
  }),
  z.object({
    event: z.literal("error"),
    data: z.object({ code: z.string(), message: z.string() }),
  }),
]);

export type ClientFrame = z.infer<typeof clientFrame>;
export type ServerFrame = z.infer<typeof serverFrame>;

export const createLiveToken = route({
  id: "liveChannel.createToken",
  method: "POST",
  path: "/sockets/token",
  family: "api",
  access: "customer",
  apiKey: "none",
  summary: "A token for the live channel",
  success: 201,
  response: z.object({ token: z.string(), expires_at: timestamp }),
  errors: ["unauthenticated", "forbidden"],
  limits: [{ per: "user", max: 120, windowSeconds: 60, perProcess: true }],
  audited: false,
  answersSecret: true,
});

export const liveChannelRoutes = { createLiveToken };
