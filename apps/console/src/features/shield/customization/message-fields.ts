import { useLingui } from "@lingui/react/macro";

interface MessageField {
  readonly label: string;
  readonly description: string;
  /** Kick screens show several lines. */
  readonly multiline?: boolean;
}

/** Label and explanation of every message, by its name in the contract. */
export function useMessageFields(): Record<string, MessageField> {
  const { t } = useLingui();
  return {
    version_info: {
      label: t`Version info`,
      description: t`Stands where the game shows the player count.`,
    },
    motd_line1: {
      label: t`MOTD line 1`,
      description: t`First line in the server list while your server is down.`,
    },
    motd_line2: { label: t`MOTD line 2`, description: t`Second line in the server list.` },
    offline_kick_msg: {
      label: t`Offline kick message`,
      description: t`Who joins while your server is down sees this.`,
      multiline: true,
    },
    blacklist_msg: {
      label: t`Blacklist kick message`,
      description: t`Who is on the blacklist sees this instead of joining.`,
      multiline: true,
    },
    whitelist_msg: {
      label: t`Whitelist kick message`,
      description: t`Who is not on the whitelist sees this while 'Whitelist only' is on.`,
      multiline: true,
    },
  };
}
