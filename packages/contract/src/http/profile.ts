import { z } from "zod";
import { defaultLimits, route } from "./route.ts";

/** The four figures on top of the dashboard, with a day of history where there is one. */
export const dashboardInfo = z
  .object({
    balance: z.string(),
    balance_cents: z.int(),
    balance_history: z
      .array(z.int())
      .describe("Cents at the end of each of the last 30 days, UTC, oldest first; the last is now"),
    blocked_packets: z.int().describe("Last 30 days, shields the caller owns"),
    game_shields: z.int(),
    active_game_shields: z.int(),
    average_online: z.int().describe("Mean players over 24 h, all shields"),
    players_history: z.array(z.int()).describe("Hourly means of the last 24 h, oldest first"),
    blocked_history: z.array(z.int()).describe("Hourly sums of the last 24 h, oldest first"),
  })
  .meta({ id: "DashboardInfo" });

export type DashboardInfo = z.infer<typeof dashboardInfo>;

export const getDashboard = route({
  id: "profile.dashboard",
  method: "GET",
  path: "/profile/dashboard",
  family: "api",
  access: "customer",
  apiKey: "read",
  summary: "Figures of the dashboard",
  success: 200,
  response: dashboardInfo,
  errors: ["unauthenticated"],
  limits: defaultLimits.read,
});

export const profileRoutes = { getDashboard };
