import { msg } from "@lingui/core/macro";
import type { MessageDescriptor } from "@lingui/core";
import { type SuspicionSignal, suspicionSignals } from "@palisade/contract/edge/plain-values";

const signalLabels: Readonly<Record<SuspicionSignal, MessageDescriptor>> = {
  no_ping: msg`No ping before the join`,
  early_bytes: msg`Sent more before it was answered`,
  split_packet: msg`Login packet in parts`,
  late_login: msg`Login long after the handshake`,
  odd_host: msg`Address data of a proxy`,
  no_key: msg`No profile key`,
  odd_key: msg`Invalid profile key`,
  unknown_version: msg`Unknown version`,
  unusual_version: msg`Version that no other player has`,
  tool_name: msg`Name of a bot tool`,
  random_name: msg`Random name`,
  alike_name: msg`One of many similar names`,
  network_failures: msg`Others of the network failed checks`,
  network_flood: msg`Bots from the same network`,
  system_failures: msg`Others of the provider failed checks`,
  source_failed: msg`Failed a check shortly before`,
  hosting_network: msg`Hosting network`,
  anonymous_network: msg`VPN, proxy or Tor`,
  unusual_country: msg`Country that no other player has`,
  brand_mismatch: msg`Brand does not fit the client`,
  settings_order: msg`Settings came in an odd order`,
};

/** Undefined for a signal of a later edge. */
export function labelOfSignal(name: string): MessageDescriptor | undefined {
  const known = suspicionSignals.find((signal) => signal === name);
  return known && signalLabels[known];
}
