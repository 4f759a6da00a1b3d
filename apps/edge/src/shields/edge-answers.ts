import { encodeLegacyKick, encodeLegacyStatus } from "@palisade/minecraft-protocol/java/legacy";
import { compileKick } from "./kick-template.ts";
import { createMotd } from "./motd.ts";

/**
 * The edge's own texts. They are short and English, because the language of players is unknown here
 * and no owner has written them.
 */

/** Hosts that are unknown and shields that are gone look the same: nothing tells them apart. */
export const unknownHost = {
  motd: createMotd({
    version: "Palisade",
    lines: ["§7There is no server at this address.", "§8Check its name"],
  }),
  kick: compileKick("§7There is no server at this address.\n§8{trace}"),
};

const expiredText = { version: "Expired", lines: ["§eThe protection of this server has expired."] };
export const expired = {
  text: expiredText,
  motd: createMotd(expiredText),
  kick: compileKick("§eThe protection of this server has expired.\n§8{trace}"),
};

const blockedText = { version: "Blocked", lines: ["§cThis server has been blocked."] };
export const blocked = {
  text: blockedText,
  motd: createMotd(blockedText),
  kick: compileKick("§cThis server has been blocked.\n§8{trace}"),
};

const trafficUsedUpText = {
  version: "Traffic",
  lines: ["§eThe traffic of this server is used up."],
};
export const trafficUsedUp = {
  text: trafficUsedUpText,
  motd: createMotd(trafficUsedUpText),
  kick: compileKick(
    "§eThe traffic of this server is used up.\n§7Its owner can add more\n§8{trace}",
  ),
};

export const invalidName = compileKick(
  "§cThis player name cannot be used.\n§7Letters, digits and _, at most 16 characters\n§8{trace}",
);

export const tooLarge = compileKick("§cYour game has sent too much at once.\n§8{trace}");

const noNameStatus = {
  version: "1.6+",
  motd: "Minecraft before 1.6 shows no status here",
  online: 0,
  max: 0,
};

/**
 * Legacy clients that name no host, so they can be no shield's. A ping says nothing of who may
 * join: 1.5.2 names the host when it does, and not when it pings.
 */
export const nameless = {
  "ping-1.3": encodeLegacyStatus("ping-1.3", noNameStatus),
  "ping-1.4": encodeLegacyStatus("ping-1.4", noNameStatus),
  "ping-1.6": encodeLegacyStatus("ping-1.6", noNameStatus),
  login: encodeLegacyKick("This server needs Minecraft 1.6 or newer"),
};
