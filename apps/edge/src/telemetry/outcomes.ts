import type { RefusalReason } from "@palisade/contract/edge/telemetry";
import type { ShedReason } from "#src/listeners/admission.ts";
import { fact, type Fact } from "#src/protection/source-table.ts";

/** How a connection ended, or that it became a player's. Each has exactly one. */
export type Outcome =
  | "forwarded"
  /** Has shown that he is a game, and is to come back. */
  | "verified"
  /** Was asked to, but the edge had no room or nobody to ask. */
  | "unchecked"
  | "status"
  | "ping"
  | "legacy"
  | "unknown_host"
  | "malformed"
  | "deadline"
  | "left"
  | "stopped"
  | RefusalReason
  | ShedReason;

/**
 * What each says of its source, beside that there was a connection. Null: nothing of who it was.
 * Such were answered, have gone, were in the way of others, or met a fault that is not theirs.
 */
export const factOf: Readonly<Record<Outcome, Fact | null>> = {
  forwarded: fact.admitted,

  malformed: fact.hostile,
  deadline: fact.hostile,
  invalid_name: fact.hostile,
  bot_name: fact.hostile,
  bot_check: fact.hostile,
  packet_size: fact.hostile,
  rate: fact.hostile,
  shed_ip: fact.hostile,

  unknown_host: fact.refused,
  blacklist: fact.refused,
  whitelist_only: fact.refused,
  invalid_version: fact.refused,
  expired: fact.refused,
  blocked: fact.refused,
  forge: fact.refused,
  cooldown: fact.refused,
  max_connections: fact.refused,
  secure_profiles: fact.refused,
  vpn: fact.refused,

  status: null,
  ping: null,
  legacy: null,
  verified: null,
  unchecked: null,
  left: null,
  stopped: null,
  offline: null,
  shed_pending: null,
  shed_files: null,
  shed_shield: null,
  shed_ban: null,
};
