import { msg } from "@lingui/core/macro";
import type { MessageDescriptor } from "@lingui/core";
import type { RefusalReason } from "@palisade/contract/edge/plain-values";

/** Reasons for refusal, named after the setting that refuses. */
export const refusalLabels: Readonly<Record<RefusalReason, MessageDescriptor>> = {
  blacklist: msg`Blacklist`,
  whitelist_only: msg`Whitelist only`,
  invalid_name: msg`Invalid name`,
  invalid_version: msg`Version range`,
  offline: msg`Server offline`,
  expired: msg`Shield expired`,
  blocked: msg`Shield blocked`,
  forge: msg`Anti-Forge`,
  bot_name: msg`Bot names`,
  bot_check: msg`Bot check`,
  cooldown: msg`Rejoin cooldown`,
  max_connections: msg`Max connections`,
  secure_profiles: msg`Secure profiles`,
  vpn: msg`Anti-VPN`,
  packet_size: msg`Max packet size`,
  traffic_used_up: msg`Traffic used up`,
  rate: msg`Too many from one address`,
  full: msg`Player limit of the plan`,
  network: msg`Country or network`,
};
