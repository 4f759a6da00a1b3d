import type { RefusalReason } from "@palisade/contract/edge/plain-values";
import { sourceCount, type SourceCount } from "#src/rules/source-table.ts";

/** Why the edge closed a connection to make room, or did not accept it at all. */
export type ShedReason =
  | "shed_ip"
  | "shed_pending"
  | "shed_files"
  | "shed_shield"
  | "shed_ban"
  /** Its shield has connected to enough backends that do not answer in this second. */
  | "shed_dials";

/** How a connection ended, or that it became a player's. Each has exactly one. */
export type Outcome =
  | "forwarded"
  /** The player has passed the challenge and is to join again. */
  | "verified"
  /**
   * The player had to be challenged, but the edge had no room or could not reach the session
   * server.
   */
  | "unchecked"
  | "status"
  | "ping"
  | "legacy"
  | "unknown_host"
  /** No backend of the shield has been proven, and none answers as Minecraft. */
  | "unproven"
  | "malformed"
  | "deadline"
  | "left"
  | "stopped"
  | RefusalReason
  | ShedReason;

/**
 * The count that each outcome adds to for its source, besides the connection itself. Null: the
 * outcome says nothing about the source, because the connection was answered, has ended by itself,
 * made room for others, or met a fault that is not its own.
 */
export const sourceCountOf: Readonly<Record<Outcome, SourceCount | null>> = {
  forwarded: sourceCount.admitted,

  malformed: sourceCount.hostile,
  deadline: sourceCount.hostile,
  invalid_name: sourceCount.hostile,
  bot_name: sourceCount.hostile,
  bot_check: sourceCount.hostile,
  packet_size: sourceCount.hostile,
  rate: sourceCount.hostile,
  shed_ip: sourceCount.hostile,

  unknown_host: sourceCount.refused,
  blacklist: sourceCount.refused,
  whitelist_only: sourceCount.refused,
  invalid_version: sourceCount.refused,
  expired: sourceCount.refused,
  blocked: sourceCount.refused,
  forge: sourceCount.refused,
  cooldown: sourceCount.refused,
  max_connections: sourceCount.refused,
  secure_profiles: sourceCount.refused,
  vpn: sourceCount.refused,

  status: null,
  ping: null,
  legacy: null,
  verified: null,
  unchecked: null,
  left: null,
  stopped: null,
  offline: null,
  full: null,
  unproven: null,
  shed_pending: null,
  shed_files: null,
  shed_shield: null,
  shed_ban: null,
  shed_dials: null,
};
