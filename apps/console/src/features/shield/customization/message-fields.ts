import { useLingui } from "@lingui/react/macro";
import type { MessageName } from "@palisade/contract/http/server-messages";

interface MessageField {
  readonly label: string;
  readonly description: string;
  /** Kick screens and the hover text show several lines. */
  readonly multiline?: boolean;
}

/** Label and explanation of every message, by its name in the contract. */
export function useMessageFields(): Record<MessageName, MessageField> {
  const { t } = useLingui();
  const kick = (label: string, description: string) => ({ label, description, multiline: true });
  return {
    forge_msg: kick(
      t`Forge message`,
      t`Shown to players who join with a modded client while 'Anti-Forge' is on.`,
    ),
    invalid_version_msg: kick(
      t`Invalid version message`,
      t`Shown to players whose Minecraft version is outside your range.`,
    ),
    rejoin_msg: kick(t`Rejoin message`, t`Asks a player who passed the bot check to join again.`),
    bot_check_msg: kick(
      t`Bot check message`,
      t`Shown to players who have not passed the bot check, or did not open the server list before joining.`,
    ),
    cooldown_msg: kick(
      t`Cooldown message`,
      t`Shown to players who join again before the rejoin cooldown is over.`,
    ),
    max_connections_msg: kick(
      t`Max connections message`,
      t`Shown to players who join while too many others do, or too often from one address or with one name.`,
    ),
    secure_profiles_msg: kick(
      t`Secure profiles message`,
      t`Shown to players whose account Mojang does not confirm.`,
    ),
    vpn_msg: kick(t`VPN message`, t`Shown to players who join through a VPN or proxy.`),
    bot_name_msg: kick(t`Bot name message`, t`Shown to players whose name looks like a bot's.`),
    version_info: {
      label: t`Version info`,
      description: t`Shown in place of the player count.`,
    },
    motd_line1: {
      label: t`MOTD line 1`,
      description: t`First line in the server list while your server is down.`,
    },
    motd_line2: { label: t`MOTD line 2`, description: t`Second line in the server list.` },
    offline_info: {
      label: t`Offline info`,
      description: t`Shown line by line when a player points at the version info.`,
      multiline: true,
    },
    offline_kick_msg: kick(
      t`Offline kick message`,
      t`Shown to players who join while your server is down.`,
    ),
    blacklist_msg: kick(
      t`Blacklist kick message`,
      t`Shown to players on the blacklist when they try to join.`,
    ),
    whitelist_msg: kick(
      t`Whitelist kick message`,
      t`Shown to players who are not on the whitelist while 'Whitelist only' is on.`,
    ),
  };
}

export function isMessageName(
  fields: Record<MessageName, MessageField>,
  name: string,
): name is MessageName {
  return Object.hasOwn(fields, name);
}
