import type { ServerMessages } from "@palisade/contract/http/server-messages";
import type { Texts } from "./rules.ts";

/** The messages under Customization for players that mitigation refuses. */
export interface KickMessage {
  readonly label: Texts;
  /** The text while the owner has written none; game texts are in one language. */
  readonly standard: string;
}

type KickGroup = "general" | "mitigation";

export const kickMessages: {
  readonly [G in KickGroup]: Readonly<Record<keyof ServerMessages[G], KickMessage>>;
} = {
  general: {
    forge_msg: {
      label: { en: "Forge message", ru: "Сообщение для Forge" },
      standard: "§cModded clients cannot join this server.\n§7Please join with an unmodified game.",
    },
    invalid_version_msg: {
      label: { en: "Invalid version message", ru: "Сообщение о неподходящей версии" },
      standard:
        "§cYour version of Minecraft cannot join this server.\n§7Supported: {min_version} to {max_version}",
    },
  },
  mitigation: {
    rejoin_msg: {
      label: { en: "Rejoin message", ru: "Сообщение о повторном входе" },
      standard: "§aYou are verified.\n§7Please join again.",
    },
    bot_check_msg: {
      label: { en: "Bot check message", ru: "Сообщение о проверке на бота" },
      standard: "§eWe are checking your connection.\n§7Please wait a moment and join again.",
    },
    cooldown_msg: {
      label: { en: "Cooldown message", ru: "Сообщение о паузе" },
      standard: "§ePlease wait {seconds} seconds before you join again.",
    },
    max_connections_msg: {
      label: { en: "Max connections message", ru: "Сообщение о лимите подключений" },
      standard: "§eToo many players are joining right now.\n§7Please try again shortly.",
    },
    secure_profiles_msg: {
      label: { en: "Secure profiles message", ru: "Сообщение о защищённых профилях" },
      standard: "§cYour Minecraft account could not be confirmed.",
    },
    vpn_msg: {
      label: { en: "VPN message", ru: "Сообщение о VPN" },
      standard: "§cVPNs and proxies cannot be used on this server.",
    },
    bot_name_msg: {
      label: { en: "Bot name message", ru: "Сообщение об имени бота" },
      standard: "§cThis player name cannot be used on this server.",
    },
  },
};

export const kickGroups = ["general", "mitigation"] as const satisfies readonly KickGroup[];

/** Texts of an owner's own, one for each message of the group. */
export function ownTexts(group: KickGroup): Record<string, string> {
  return Object.fromEntries(
    Object.keys(kickMessages[group]).map((name) => [name, `§e${name}, {player}: {trace}`]),
  );
}
