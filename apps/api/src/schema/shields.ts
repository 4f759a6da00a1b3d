import type {
  balancingMethods,
  bedrockProxyModes,
  games,
} from "@palisade/contract/edge/shield-config";
import type {
  ChallengeGrade,
  NetworkAction,
  TryChallenge,
} from "@palisade/contract/edge/plain-values";
import type { ProofKind } from "@palisade/contract/http/backends";
import type { listTypes } from "@palisade/contract/http/firewall-entry";
import type { AuthorKind, HistoryArea, SettingArea } from "@palisade/contract/http/history";
import type { MemberRole, Rights } from "@palisade/contract/http/member-rights";
import type { serverRoles, serverStatuses } from "@palisade/contract/http/servers";
import type { ColumnType } from "kysely";
import type { BigIntText, Generated } from "./columns.ts";

export type ShieldStatus = (typeof serverStatuses)[number];
export type ShieldRole = (typeof serverRoles)[number];
export type ListType = (typeof listTypes)[number];

interface ShieldsTable {
  id: string;
  owner_id: string;
  server_name: string;
  status: ShieldStatus;
  pricing_plan_id: string;
  cname_record: string;
  location: string;
  revision: Generated<number>;
  automatic_renewal: Generated<boolean>;
  include_balance: Generated<boolean>;
  automatic_renewal_changed_at: Generated<Date | null>;
  include_balance_changed_at: Generated<Date | null>;
  region_changed_at: Generated<Date | null>;
  created_at: Date;
  deleted_at: Date | null;
  deleted_from: Generated<ShieldStatus | null>;
  erased_at: Generated<Date | null>;
  blocked_reason: Generated<string | null>;
  traffic_used_up: Generated<boolean>;
}

interface CnameReservationsTable {
  cname_record: string;
  user_id: string;
  shield_id: string | null;
  created_at: Date;
}

interface ShieldMembersTable {
  id: Generated<string>;
  shield_id: string;
  user_id: string;
  role: ShieldRole;
  member_role: Generated<MemberRole>;
  rights: ColumnType<Rights | null, string | null | undefined, string | null>;
  last_activity_at: Generated<Date | null>;
  token_hash: Generated<string | null>;
  created_at: Date;
}

interface ShieldInvitationsTable {
  id: string;
  shield_id: string;
  kind: "email" | "username";
  typed: string;
  typed_key: string;
  user_id: string | null;
  token_hash: string;
  member_role: Generated<MemberRole>;
  rights: ColumnType<Rights | null, string | null | undefined, string | null>;
  created_at: Date;
  expires_at: Date;
}

interface ShieldDomainsTable {
  id: string;
  shield_id: string;
  name: string;
  created_at: Date;
  verified_at: Date | null;
  checks: Generated<number>;
  next_check_at: Generated<Date | null>;
  expired_at: Generated<Date | null>;
  unproven_since: Generated<Date | null>;
  group_id: Generated<string | null>;
  removed_at: Generated<Date | null>;
  unseen_since: Generated<Date | null>;
  notice: Generated<"lost" | "ended" | "unseen" | null>;
}

interface ShieldSettingsTable {
  shield_id: string;
  area: SettingArea;
  digest: string;
  /** JSON text. */
  settings: string;
}

interface ShieldChangesTable {
  position: ColumnType<string, never, never>;
  id: string;
  shield_id: string;
  area: HistoryArea;
  revision: number | null;
  author_kind: AuthorKind;
  author_id: string | null;
  key_name: string | null;
  /** JSON text. */
  changes: string;
  created_at: Date;
}

interface ShieldLeftLocationsTable {
  shield_id: string;
  location: string;
  until: Date;
}

interface BackendGroupsTable {
  id: string;
  shield_id: string;
  name: string;
  balancing: (typeof balancingMethods)[number];
  proxy_protocol: boolean;
  is_default: boolean;
  game: Generated<(typeof games)[number]>;
  region: Generated<string>;
  port: Generated<number | null>;
  version: Generated<number>;
  created_at: Date;
}

interface BackendsTable {
  id: string;
  group_id: string;
  host: string;
  port: number;
  created_at: Date;
  proof_checks: Generated<number>;
  proof_check_at: Generated<Date | null>;
  bedrock_port: Generated<number | null>;
  bedrock_proxy: Generated<(typeof bedrockProxyModes)[number]>;
}

interface BackendProofsTable {
  shield_id: string;
  host: string;
  port: number;
  kind: ProofKind;
  address: string | null;
  proven_at: Date;
  published: Generated<boolean>;
}

interface ShieldFirewallsTable {
  shield_id: string;
  blacklist_enabled: Generated<boolean>;
  whitelist_enabled: Generated<boolean>;
  whitelist_only: Generated<boolean>;
  blacklist_changed_at: Generated<Date | null>;
  whitelist_changed_at: Generated<Date | null>;
  whitelist_only_changed_at: Generated<Date | null>;
  /** When the next entry ends or is removed; null: no entry has an end. */
  next_end_at: Generated<Date | null>;
  version: Generated<number>;
}

interface FirewallEntriesTable {
  id: string;
  shield_id: string;
  list: ListType;
  address: string;
  created_at: Date;
  note: Generated<string>;
  /** Null: it has no end. */
  expires_at: Date | null;
  /** Its end has passed, and configurations leave it out. */
  ended: Generated<boolean>;
}

interface FirewallNamesTable {
  id: string;
  shield_id: string;
  list: ListType;
  name: string;
  created_at: Date;
  note: Generated<string>;
  /** Null: it has no end. */
  expires_at: Date | null;
  /** Its end has passed, and configurations leave it out. */
  ended: Generated<boolean>;
}

interface FirewallNetworkRulesTable {
  id: string;
  shield_id: string;
  country: string | null;
  asn: BigIntText | null;
  action: NetworkAction;
  note: Generated<string>;
  created_at: Date;
  expires_at: Date | null;
}

interface ShieldMessagesTable {
  shield_id: string;
  version_info: Generated<string>;
  motd_line1: Generated<string>;
  motd_line2: Generated<string>;
  offline_kick_msg: Generated<string>;
  blacklist_msg: Generated<string>;
  whitelist_msg: Generated<string>;
  offline_info: Generated<string>;
  forge_msg: Generated<string>;
  invalid_version_msg: Generated<string>;
  rejoin_msg: Generated<string>;
  bot_check_msg: Generated<string>;
  cooldown_msg: Generated<string>;
  max_connections_msg: Generated<string>;
  secure_profiles_msg: Generated<string>;
  vpn_msg: Generated<string>;
  bot_name_msg: Generated<string>;
  offline_image: Generated<Buffer | null>;
  version: Generated<number>;
}

interface ShieldCachingTable {
  shield_id: string;
  enabled: Generated<boolean>;
  purges: Generated<number>;
  purged_at: Generated<Date | null>;
  version: Generated<number>;
}

interface ShieldMitigationTable {
  shield_id: string;
  settings: Generated<unknown>;
  version: Generated<number>;
}

interface ShieldTryAddressesTable {
  shield_id: string;
  host: string;
  challenge: TryChallenge;
  created_at: Date;
  expires_at: Date;
}

interface ChallengeTimesTable {
  shield_id: string;
  day: Date;
  edge_id: string;
  challenge: ChallengeGrade;
  protocol: number;
  passed: BigIntText[];
  failed: BigIntText;
}

export interface ShieldsTables {
  shields: ShieldsTable;
  cname_reservations: CnameReservationsTable;
  shield_members: ShieldMembersTable;
  shield_invitations: ShieldInvitationsTable;
  shield_domains: ShieldDomainsTable;
  backend_groups: BackendGroupsTable;
  backends: BackendsTable;
  backend_proofs: BackendProofsTable;
  shield_firewalls: ShieldFirewallsTable;
  firewall_entries: FirewallEntriesTable;
  firewall_names: FirewallNamesTable;
  firewall_network_rules: FirewallNetworkRulesTable;
  shield_messages: ShieldMessagesTable;
  shield_caching: ShieldCachingTable;
  shield_mitigation: ShieldMitigationTable;
  shield_try_addresses: ShieldTryAddressesTable;
  challenge_times: ChallengeTimesTable;
  shield_settings: ShieldSettingsTable;
  shield_changes: ShieldChangesTable;
  shield_left_locations: ShieldLeftLocationsTable;
}
