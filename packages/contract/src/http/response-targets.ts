import { z } from "zod";
import { defaultLimits, route } from "./route.ts";
import { ticketSeverities } from "./tickets.ts";
import { usualAnswer } from "./usual-answer.ts";

/** Told before a ticket is written. */
export const listResponseTimes = route({
  id: "tickets.responseTimes",
  method: "GET",
  path: "/tickets/response-times",
  family: "api",
  access: "customer",
  apiKey: "read",
  summary: "How soon tickets are usually answered",
  success: 200,
  response: z.object({
    response_times: z.array(usualAnswer.extend({ severity: z.enum(ticketSeverities) })),
  }),
  errors: ["unauthenticated"],
  limits: defaultLimits.read,
});

export const responseTimeRoutes = { listResponseTimes };
