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
      t`Who joins with a modded client sees this while 'Anti-Forge' is on.`,
    ),
    invalid_version_msg: kick(
      t`Invalid version message`,
      t`Who joins with a version of the game outside your range sees this.`,
    ),
    rejoin_msg: kick(t`Rejoin message`, t`Asks a player who passed the bot check to join again.`),
    bot_check_msg: kick(
      t`Bot check message`,
      t`Who has not passed the bot check, or has not opened the server list before, sees this.`,
    ),
    cooldown_msg: kick(
      t`Cooldown message`,
      t`Who joins again before the rejoin cooldown is over sees this.`,
    ),
    max_connections_msg: kick(
      t`Max connections message`,
      t`Who joins while too many others do, or too often from one address or under one name, sees this.`,
    ),
    secure_profiles_msg: kick(
      t`Secure profiles message`,
      t`Who joins with an account that Mojang does not vouch for sees this.`,
    ),
    vpn_msg: kick(t`VPN message`, t`Who joins through a VPN or proxy sees this.`),
    bot_name_msg: kick(t`Bot name message`, t`Who joins under a name like a bot's sees this.`),
    version_info: {
      label: t`Version info`,
      description: t`Stands where the game shows the player count.`,
    },
    motd_line1: {
      label: t`MOTD line 1`,
      description: t`First line in the server list while your server is down.`,
    },
    motd_line2: { label: t`MOTD line 2`, description: t`Second line in the server list.` },
    offline_info: {
      label: t`Offline info`,
      description: t`Appears when the pointer is over the version info, line by line.`,
      multiline: true,
    },
    offline_kick_msg: kick(
      t`Offline kick message`,
      t`Who joins while your server is down sees this.`,
    ),
    blacklist_msg: kick(
      t`Blacklist kick message`,
      t`Who is on the blacklist sees this instead of joining.`,
    ),
    whitelist_msg: kick(
      t`Whitelist kick message`,
      t`Who is not on the whitelist sees this while 'Whitelist only' is on.`,
    ),
  };
}

export function isMessageName(
  fields: Record<MessageName, MessageField>,
  name: string,
): name is MessageName {
  return Object.hasOwn(fields, name);
}
