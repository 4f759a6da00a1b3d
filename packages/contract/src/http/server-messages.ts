import { z } from "zod";
import { serverParams } from "./fields.ts";
import { defaultLimits, route } from "./route.ts";

/** Characters of one message; two lines of a kick screen take far less. */
export const messageCharactersMax = 512;

/** An image as it is sent. The stored image is encoded again and has at most 16 KB. */
const imageBytesMax = 64 * 1024;
const imageCharactersMax = Math.ceil(imageBytesMax / 3) * 4 + 64;

/** Both sides of the picture in the game's server list. */
export const offlineImagePixels = 64;

const message = z.string("message.invalid").max(messageCharactersMax, "message.max");

/**
 * Texts players see. An empty string means the default of the product. Colour codes with § or &;
 * placeholders `{player}`, `{seconds}`, `{min_version}`, `{max_version}`, `{discord}`, `{trace}`.
 */
export const serverMessages = z
  .object({
    general: z.object({ forge_msg: message, invalid_version_msg: message }),
    mitigation: z.object({
      rejoin_msg: message,
      bot_check_msg: message,
      cooldown_msg: message,
      max_connections_msg: message,
      secure_profiles_msg: message,
      vpn_msg: message,
      bot_name_msg: message,
    }),
    offline: z.object({
      version_info: message,
      motd_line1: message,
      motd_line2: message,
      offline_info: message.describe("Shown over the player count, line by line"),
      offline_kick_msg: message,
      offline_image: z
        .string()
        .nullable()
        .describe("`data:image/png;base64,` of 64x64 pixels; null without one"),
    }),
    firewall: z.object({ blacklist_msg: message, whitelist_msg: message }),
  })
  .meta({ id: "ServerMessages" });

export type ServerMessages = z.infer<typeof serverMessages>;

/** Missing keeps the stored text, empty clears it to the default. */
export const updateServerMessagesBody = z
  .object({
    general: serverMessages.shape.general.partial().optional(),
    mitigation: serverMessages.shape.mitigation.partial().optional(),
    offline: serverMessages.shape.offline
      .extend({
        offline_image: z
          .string("image.invalid")
          .max(imageCharactersMax, "image.too_large")
          .nullable()
          .describe("`data:image/png;base64,` of 64x64 pixels; null or empty removes it"),
      })
      .partial()
      .optional(),
    firewall: serverMessages.shape.firewall.partial().optional(),
  })
  .meta({ id: "ServerMessagesUpdate" });

export const messagePlaceholders = [
  "{player}",
  "{seconds}",
  "{min_version}",
  "{max_version}",
  "{discord}",
  "{trace}",
] as const;

export type MessageName = {
  [G in keyof ServerMessages]: Exclude<keyof ServerMessages[G], "offline_image">;
}[keyof ServerMessages];

/** Placeholders that are filled in of each text: a ping has no player, only a cooldown an end. */
export function placeholdersOf(name: MessageName): readonly (typeof messagePlaceholders)[number][] {
  const inList = ["version_info", "motd_line1", "motd_line2", "offline_info"].includes(name);
  return messagePlaceholders.filter((placeholder) => {
    if (placeholder === "{seconds}") return name === "cooldown_msg";
    return !inList || (placeholder !== "{player}" && placeholder !== "{trace}");
  });
}

/** Nothing written, no image: every text is the product's. */
export const noServerMessages: ServerMessages = {
  general: { forge_msg: "", invalid_version_msg: "" },
  mitigation: {
    rejoin_msg: "",
    bot_check_msg: "",
    cooldown_msg: "",
    max_connections_msg: "",
    secure_profiles_msg: "",
    vpn_msg: "",
    bot_name_msg: "",
  },
  offline: {
    version_info: "",
    motd_line1: "",
    motd_line2: "",
    offline_info: "",
    offline_kick_msg: "",
    offline_image: null,
  },
  firewall: { blacklist_msg: "", whitelist_msg: "" },
};

/** The texts that players read when the owner has written none. */
const defaults: ServerMessages = {
  general: {
    forge_msg: "§cModded clients cannot join this server.\n§7Please join with an unmodified game.",
    invalid_version_msg:
      "§cYour version of Minecraft cannot join this server.\n§7Supported: {min_version} to {max_version}",
  },
  mitigation: {
    rejoin_msg: "§aYou are verified.\n§7Please join again.",
    bot_check_msg: "§eWe are checking your connection.\n§7Please wait a moment and join again.",
    cooldown_msg: "§ePlease wait {seconds} seconds before you join again.",
    max_connections_msg: "§eToo many players are joining right now.\n§7Please try again shortly.",
    secure_profiles_msg: "§cYour Minecraft account could not be confirmed.",
    vpn_msg: "§cVPNs and proxies cannot be used on this server.",
    bot_name_msg: "§cThis player name cannot be used on this server.",
  },
  offline: {
    version_info: "§cOffline",
    motd_line1: "§cThis server is offline",
    motd_line2: "§7Please try again later",
    offline_info: "",
    offline_kick_msg: "§cThis server is offline at the moment.\n§7Please try again later.",
    offline_image: null,
  },
  firewall: {
    blacklist_msg: "§cYou are blocked on this server.",
    whitelist_msg: "§eThis server is in maintenance.\n§7Please come back later.",
  },
};

/** The texts players see for what is stored: the edge's configuration and the console's preview. */
export function effectiveServerMessages(stored: ServerMessages): ServerMessages {
  const { offline } = stored;
  // One line of its own replaces both: the default's second line would contradict it.
  const hasOwnMotd = offline.motd_line1 !== "" || offline.motd_line2 !== "";
  return {
    general: filled(stored.general, defaults.general),
    mitigation: filled(stored.mitigation, defaults.mitigation),
    offline: {
      version_info: offline.version_info || defaults.offline.version_info,
      motd_line1: hasOwnMotd ? offline.motd_line1 : defaults.offline.motd_line1,
      motd_line2: hasOwnMotd ? offline.motd_line2 : defaults.offline.motd_line2,
      offline_info: offline.offline_info,
      offline_kick_msg: offline.offline_kick_msg || defaults.offline.offline_kick_msg,
      offline_image: offline.offline_image,
    },
    firewall: filled(stored.firewall, defaults.firewall),
  };
}

const traceLine = "\n§8{trace}";

/** A kick as players read it: whatever its owner wrote, there is the code they can quote. */
export function withTrace(text: string): string {
  return text.includes("{trace}") ? text : `${text}${traceLine}`;
}

function filled<T extends Record<string, string>>(texts: T, defaultTexts: T): T {
  const entries = Object.entries(texts).map(([key, text]) => [key, text || defaultTexts[key]]);
  // The same keys with texts: `fromEntries` cannot know.
  return Object.fromEntries(entries) as T;
}

export const getServerMessages = route({
  id: "serverMessages.get",
  method: "GET",
  path: "/servers/:id/messages",
  family: "api",
  access: "member",
  area: "messages",
  apiKey: "read",
  summary: "Texts players see",
  params: serverParams,
  success: 200,
  response: serverMessages,
  errors: ["unauthenticated", "forbidden", "not_found", "gone", "plan_required"],
  limits: defaultLimits.read,
});

export const updateServerMessages = route({
  id: "serverMessages.update",
  method: "POST",
  path: "/servers/:id/messages",
  family: "api",
  access: "member",
  area: "messages",
  apiKey: "write",
  summary: "Change texts players see",
  params: serverParams,
  body: updateServerMessagesBody,
  multipart: { files: 1, fileBytes: imageBytesMax },
  success: 200,
  response: z.object({ message: z.string(), revision: z.int(), messages: serverMessages }),
  errors: [
    "unauthenticated",
    "forbidden",
    "not_found",
    "gone",
    "plan_required",
    "server_not_active",
    "precondition_failed",
  ],
  limits: [{ per: "shield", max: 600, windowSeconds: 600 }],
});

export const getServerImage = route({
  id: "serverMessages.image",
  method: "GET",
  path: "/servers/:id/image",
  family: "api",
  access: "member",
  area: "general",
  apiKey: "read",
  summary: "Picture of a shield",
  params: serverParams,
  success: 200,
  response: z.object({ image: z.string().describe("`data:image/png;base64,`") }),
  errors: ["unauthenticated", "not_found", "gone"],
  limits: defaultLimits.read,
});

export const serverMessageRoutes = { getServerMessages, updateServerMessages, getServerImage };
