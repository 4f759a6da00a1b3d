import { z } from "zod";
import { serverParams, timestamp } from "./fields.ts";
import { route } from "./route.ts";
import { server, serverName } from "./servers.ts";

/** How long a deleted shield can be had back; its owner is told that long that it was deleted. */
export const restorableDays = 14;

export const renameServerBody = z.object({ server_name: serverName });

export const renameServer = route({
  id: "servers.rename",
  method: "PUT",
  path: "/servers/:id/rename",
  family: "api",
  access: "member",
  area: "general",
  apiKey: "write",
  summary: "Rename a shield",
  params: serverParams,
  body: renameServerBody,
  success: 200,
  response: z.object({ server, message: z.string() }),
  errors: ["unauthenticated", "forbidden", "not_found", "gone", "server_not_active"],
  limits: [{ per: "shield", max: 60, windowSeconds: 3600 }],
});

export const deleteServer = route({
  id: "servers.delete",
  method: "DELETE",
  path: "/servers/:id",
  family: "api",
  access: "owner",
  evenDeleted: true,
  apiKey: "none",
  summary: "Delete a shield",
  params: serverParams,
  body: z.object({
    server_name: z
      .string("server_name.required")
      .trim()
      .min(1, "server_name.required")
      .max(255, "server_name.max")
      .describe("The shield's name, typed"),
  }),
  success: 200,
  response: z.object({
    message: z.string(),
    revision: z.int(),
    restorable_until: timestamp,
  }),
  errors: ["unauthenticated", "step_up_required", "not_found", "gone", "forbidden"],
  limits: [{ per: "user", max: 60, windowSeconds: 3600 }],
  recent: true,
});

export const restoreServer = route({
  id: "servers.restore",
  method: "POST",
  path: "/servers/:id/restore",
  family: "api",
  access: "owner",
  evenDeleted: true,
  apiKey: "write",
  summary: "Restore a deleted shield",
  params: serverParams,
  success: 200,
  response: z.object({ server, message: z.string(), revision: z.int() }),
  errors: ["unauthenticated", "not_found", "gone", "forbidden", "plan_unavailable"],
  limits: [{ per: "user", max: 60, windowSeconds: 3600 }],
});

export const serverLifeRoutes = { renameServer, deleteServer, restoreServer };
