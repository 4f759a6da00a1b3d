import { encodeLegacyKick, encodeLegacyStatus } from "@palisade/minecraft-protocol/java/legacy";
import { compileKick } from "./kick-template.ts";
import { encodeMotd } from "./motd.ts";

/**
 * What an edge says by itself. Players' languages are unknown here, and these
 * texts are no owner's, so they are short and English.
 */

/** Hosts that are unknown and shields that are gone look the same: nothing tells them apart. */
export const unknownHost = {
  motd: encodeMotd("Palisade", ["§7There is no server at this address.", "§8Check its name"]),
  kick: compileKick("§7There is no server at this address.\n§8{trace}"),
};

export const expired = {
  motd: encodeMotd("Expired", ["§eThe protection of this server has expired."]),
  kick: compileKick("§eThe protection of this server has expired.\n§8{trace}"),
};

export const blocked = {
  motd: encodeMotd("Blocked", ["§cThis server has been blocked."]),
  kick: compileKick("§cThis server has been blocked.\n§8{trace}"),
};

export const invalidName = compileKick(
  "§cThis player name cannot be used.\n§7Letters, digits and _, at most 16 characters\n§8{trace}",
);

const tooOld = "This server needs Minecraft 1.7 or newer";
const legacyStatus = { version: "1.7+", motd: tooOld, online: 0, max: 0 };

/** Clients before 1.7. Most of them name no host, so they can be no shield's. */
export const legacy = {
  "ping-1.3": encodeLegacyStatus("ping-1.3", legacyStatus),
  "ping-1.4": encodeLegacyStatus("ping-1.4", legacyStatus),
  "ping-1.6": encodeLegacyStatus("ping-1.6", legacyStatus),
  login: encodeLegacyKick(tooOld),
};
