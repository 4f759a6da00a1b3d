import type { ShieldConfig } from "@palisade/contract/edge/shield-config";

/** What players read where the owner wrote nothing of their own. */
export const defaultMessages: ShieldConfig["messages"] = {
  blacklist: "§cYour address is blocked on this server.",
  whitelist: "§eThis server is in maintenance.\n§7Please come back later.",
  offline_kick: "§cThis server is offline at the moment.\n§7Please try again later.",
  offline_version: "§cOffline",
  offline_motd: ["§cThis server is offline", "§7Please try again later"],
};
