import { msg } from "@lingui/core/macro";
import type { MessageDescriptor } from "@lingui/core";
import { useLingui } from "@lingui/react/macro";
import type { HistoryArea } from "@palisade/contract/http/history";
import { useMessageFields } from "../customization/message-fields.ts";
import { useSettingLabels } from "../mitigation/setting-labels.ts";

export const areaLabels: Record<HistoryArea, MessageDescriptor> = {
  general: msg`General`,
  backends: msg`Backends`,
  domains: msg`Domains`,
  mitigation: msg`Mitigation`,
  caching: msg`Caching`,
  messages: msg`Customization`,
  bedrock: msg`Bedrock/Geyser`,
  firewall: msg`Firewall`,
  notifications: msg`Notifications`,
  members: msg`Subusers`,
  plan: msg`Plan`,
};

/** The label of a setting on its own page. One of a newer version is shown by its name. */
export function useFieldLabel(): (field: string) => string {
  const { i18n } = useLingui();
  const mitigation: Readonly<Record<string, string>> = useSettingLabels();
  const messages: Readonly<Record<string, { readonly label: string }>> = useMessageFields();
  return (field) => {
    const own = fieldLabels[field];
    if (own !== undefined) return i18n._(own);
    return mitigation[field] ?? messages[field]?.label ?? field;
  };
}

const fieldLabels: Readonly<Record<string, MessageDescriptor>> = {
  name: msg`Name`,
  served_revision: msg`Content of an earlier revision`,
  group: msg`Backend group`,
  game: msg`Game`,
  group_region: msg`Region`,
  balancing: msg`Load balancing`,
  proxy_protocol: msg`PROXY protocol`,
  default_group: msg`Default group`,
  group_port: msg`Port`,
  servers: msg`Servers`,
  bedrock_servers: msg`Bedrock ports of servers`,
  server_proof: msg`Proof of a server`,
  region: msg`Region`,
  domain: msg`Domain`,
  minecraft_version_min: msg`Oldest Minecraft version`,
  minecraft_version_max: msg`Newest Minecraft version`,
  caching_enabled: msg`MOTD caching`,
  cache_purges: msg`Purges of the cache`,
  bedrock_enabled: msg`Players of Bedrock`,
  bedrock_default: msg`Right to the default Bedrock port`,
  bedrock_ports: msg`Ports`,
  offline_image: msg`Offline image`,
  ip_blacklist_enabled: msg`Blacklist (switch)`,
  ip_whitelist_enabled: msg`Whitelist (switch)`,
  whitelist_only: msg`Whitelist only`,
  blacklist: msg`Blacklist`,
  whitelist: msg`Whitelist`,
  network_rules: msg`Countries and networks`,
  blacklist_notes: msg`Notes of the blacklist`,
  whitelist_notes: msg`Notes of the whitelist`,
  blacklist_ends: msg`Ends of entries of the blacklist`,
  whitelist_ends: msg`Ends of entries of the whitelist`,
  status: msg`Status`,
  plan: msg`Plan`,
  planned_plan: msg`Plan of the next period`,
  plan_price: msg`Price of the plan`,
  blocked_reason: msg`Reason of the block`,
  reason: msg`Reason`,
  traffic_used_up: msg`Traffic used up`,
  member: msg`Sub-user`,
  invitation: msg`Invitation`,
  automatic_renewal: msg`Automatic renewal`,
  include_balance: msg`Include account balance`,
  email_notifications: msg`Email notifications`,
  webhook_notifications: msg`Webhook notifications`,
  attack_started_msg: msg`Attack started message`,
  attack_stopped_msg: msg`Attack stopped message`,
  mail_events: msg`Mail me about`,
  digest: msg`When mails are sent`,
  quiet_hours: msg`Quiet hours`,
  time_zone: msg`Time zone`,
  webhook: msg`Webhook`,
  events: msg`Events`,
  enabled: msg`Webhook is on`,
  secret: msg`Signing secret`,
};
