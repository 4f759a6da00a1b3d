import type { ShieldConfig } from "@palisade/contract/edge/shield-config";
import { effectiveServerMessages, withTrace } from "@palisade/contract/http/server-messages";
import { newestRelease } from "@palisade/minecraft-protocol/java/versions";

/** The owner's texts as stored; empty ones stand for the product's. */
export interface StoredMessages {
  readonly version_info: string;
  readonly motd_line1: string;
  readonly motd_line2: string;
  readonly offline_info: string;
  readonly offline_kick_msg: string;
  readonly blacklist_msg: string;
  readonly whitelist_msg: string;
  readonly forge_msg: string;
  readonly invalid_version_msg: string;
  readonly rejoin_msg: string;
  readonly bot_check_msg: string;
  readonly cooldown_msg: string;
  readonly max_connections_msg: string;
  readonly secure_profiles_msg: string;
  readonly vpn_msg: string;
  readonly bot_name_msg: string;
  readonly offline_image: Buffer | null;
}

/** All texts of the product: of a plan without texts of its own, whatever the owner wrote before. */
export const ownMessages: StoredMessages = {
  version_info: "",
  motd_line1: "",
  motd_line2: "",
  offline_info: "",
  offline_kick_msg: "",
  blacklist_msg: "",
  whitelist_msg: "",
  forge_msg: "",
  invalid_version_msg: "",
  rejoin_msg: "",
  bot_check_msg: "",
  cooldown_msg: "",
  max_connections_msg: "",
  secure_profiles_msg: "",
  vpn_msg: "",
  bot_name_msg: "",
  offline_image: null,
};

/** Characters of a compiled text, as the edges' schema has it: filling in may make one longer. */
const textCharactersMax = 2048;
/** Length of the line with the trace code. */
const traceCharacters = withTrace("").length;

/** Texts with § codes, the product's own where the owner wrote none. */
export function compileMessages(
  stored: StoredMessages,
  versions: ShieldConfig["versions"],
  discordInviteUrl: string | undefined,
): ShieldConfig["messages"] {
  const { general, mitigation, offline, firewall } = effectiveServerMessages({
    general: {
      forge_msg: kickText(stored.forge_msg),
      invalid_version_msg: kickText(stored.invalid_version_msg),
    },
    mitigation: {
      rejoin_msg: kickText(stored.rejoin_msg),
      bot_check_msg: kickText(stored.bot_check_msg),
      cooldown_msg: kickText(stored.cooldown_msg),
      max_connections_msg: kickText(stored.max_connections_msg),
      secure_profiles_msg: kickText(stored.secure_profiles_msg),
      vpn_msg: kickText(stored.vpn_msg),
      bot_name_msg: kickText(stored.bot_name_msg),
    },
    offline: {
      version_info: oneLine(stored.version_info),
      motd_line1: oneLine(stored.motd_line1),
      motd_line2: oneLine(stored.motd_line2),
      offline_info: kickText(stored.offline_info),
      offline_kick_msg: kickText(stored.offline_kick_msg),
      offline_image: null,
    },
    firewall: {
      blacklist_msg: kickText(stored.blacklist_msg),
      whitelist_msg: kickText(stored.whitelist_msg),
    },
  });
  const known = (text: string): string =>
    text
      .replaceAll("{discord}", () => discordInviteUrl ?? "")
      .replaceAll("{min_version}", versions.min)
      .replaceAll("{max_version}", versions.max ?? newestRelease)
      .slice(0, textCharactersMax);
  const kick = (text: string): string =>
    withTrace(known(text).slice(0, textCharactersMax - traceCharacters));
  return {
    blacklist: kick(firewall.blacklist_msg),
    whitelist: kick(firewall.whitelist_msg),
    offline_kick: kick(offline.offline_kick_msg),
    offline_version: known(offline.version_info),
    offline_motd: [known(offline.motd_line1), known(offline.motd_line2)],
    offline_hover: known(offline.offline_info),
    invalid_version: kick(general.invalid_version_msg),
    forge: kick(general.forge_msg),
    rejoin: kick(mitigation.rejoin_msg),
    bot_check: kick(mitigation.bot_check_msg),
    cooldown: kick(mitigation.cooldown_msg),
    max_connections: kick(mitigation.max_connections_msg),
    secure_profiles: kick(mitigation.secure_profiles_msg),
    vpn: kick(mitigation.vpn_msg),
    bot_name: kick(mitigation.bot_name_msg),
  };
}

export function offlineIcon({ offline_image }: StoredMessages): string | null {
  if (offline_image === null) return null;
  return `data:image/png;base64,${offline_image.toString("base64")}`;
}

/** `&` before a colour or format code of the game becomes `§`; any other `&` is a character. */
function kickText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/&([0-9a-fk-or])/gi, "§$1");
}

function oneLine(text: string): string {
  return kickText(text).replace(/\n+/g, " ");
}
