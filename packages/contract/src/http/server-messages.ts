import { z } from "zod";
import { serverParams } from "./fields.ts";
import { route } from "./route.ts";

/** Characters of one message; two lines of a kick screen take far less. */
export const messageCharactersMax = 512;

const message = z.string("message.invalid").max(messageCharactersMax, "message.max");

/**
 * Texts players see. An empty string means the default of the product. Colour
 * codes with § or &; placeholders `{player}`, `{discord}`, `{trace}`.
 */
export const serverMessages = z
  .object({
    offline: z.object({
      version_info: message,
      motd_line1: message,
      motd_line2: message,
      offline_kick_msg: message,
    }),
    firewall: z.object({ blacklist_msg: message, whitelist_msg: message }),
  })
  .meta({ id: "ServerMessages" });

export type ServerMessages = z.infer<typeof serverMessages>;

/** Missing keeps the stored text, empty clears it to the default (decision 41). */
export const updateServerMessagesBody = z
  .object({
    offline: serverMessages.shape.offline.partial().optional(),
    firewall: serverMessages.shape.firewall.partial().optional(),
  })
  .meta({ id: "ServerMessagesUpdate" });

/** What players read where the owner wrote nothing of their own. */
const defaults: ServerMessages = {
  offline: {
    version_info: "§cOffline",
    motd_line1: "§cThis server is offline",
    motd_line2: "§7Please try again later",
    offline_kick_msg: "§cThis server is offline at the moment.\n§7Please try again later.",
  },
  firewall: {
    blacklist_msg: "§cYour address is blocked on this server.",
    whitelist_msg: "§eThis server is in maintenance.\n§7Please come back later.",
  },
};

/** The texts players see for what is stored: the edge's configuration and the console's preview. */
export function effectiveServerMessages({ offline, firewall }: ServerMessages): ServerMessages {
  // One line of its own replaces both: the default's second line would contradict it.
  const hasOwnMotd = offline.motd_line1 !== "" || offline.motd_line2 !== "";
  return {
    offline: {
      version_info: offline.version_info || defaults.offline.version_info,
      motd_line1: hasOwnMotd ? offline.motd_line1 : defaults.offline.motd_line1,
      motd_line2: hasOwnMotd ? offline.motd_line2 : defaults.offline.motd_line2,
      offline_kick_msg: offline.offline_kick_msg || defaults.offline.offline_kick_msg,
    },
    firewall: {
      blacklist_msg: firewall.blacklist_msg || defaults.firewall.blacklist_msg,
      whitelist_msg: firewall.whitelist_msg || defaults.firewall.whitelist_msg,
    },
  };
}

export const getServerMessages = route({
  id: "serverMessages.get",
  method: "GET",
  path: "/servers/:id/messages",
  family: "api",
  access: "member",
  apiKey: "read",
  summary: "Texts players see",
  params: serverParams,
  success: 200,
  response: serverMessages,
  errors: ["unauthenticated", "not_found", "gone", "plan_required"],
  limits: [],
});

export const updateServerMessages = route({
  id: "serverMessages.update",
  method: "POST",
  path: "/servers/:id/messages",
  family: "api",
  access: "member",
  apiKey: "write",
  summary: "Change texts players see",
  params: serverParams,
  body: updateServerMessagesBody,
  success: 200,
  response: z.object({ message: z.string(), revision: z.int(), messages: serverMessages }),
  errors: [
    "unauthenticated",
    "not_found",
    "gone",
    "plan_required",
    "server_not_active",
    "precondition_failed",
  ],
  limits: [{ per: "shield", max: 600, windowSeconds: 600 }],
});

export const serverMessageRoutes = { getServerMessages, updateServerMessages };
