import { msg } from "@lingui/core/macro";
import type { MessageDescriptor } from "@lingui/core";
import { useLingui } from "@lingui/react/macro";
import {
  rightAreas,
  type MemberRole,
  type RightArea,
  type RightLevel,
  type Rights,
} from "@palisade/contract/http/member-rights";

export const roleLabels: Record<MemberRole, MessageDescriptor> = {
  viewer: msg`Viewer`,
  operator: msg`Operator`,
  manager: msg`Manager`,
  custom: msg`Custom`,
};

export const roleHints: Record<MemberRole, MessageDescriptor> = {
  viewer: msg`Sees everything but the history and the addresses of players, and changes nothing.`,
  operator: msg`Changes mitigation, customization and firewall, and sees the rest.`,
  manager: msg`Changes everything except plan, renewal, deletion and sub-users.`,
  custom: msg`Has the rights you choose for each area.`,
};

export const rightAreaLabels: Record<RightArea, MessageDescriptor> = {
  general: msg`Overview and name`,
  logs: msg`Attacks and log`,
  addresses: msg`Addresses of players`,
  backends: msg`Backends`,
  domains: msg`Domains`,
  mitigation: msg`Mitigation`,
  caching: msg`Caching`,
  messages: msg`Customization`,
  bedrock: msg`Bedrock/Geyser`,
  notifications: msg`Notifications`,
  firewall: msg`Firewall`,
  history: msg`History`,
};

export const levelLabels: Record<RightLevel, MessageDescriptor> = {
  none: msg`No access`,
  view: msg`View`,
  change: msg`View and change`,
};

/** Own rights in words, the greater ones first: `View and change: Backends. View: Firewall`. */
export function useRightsText(): (rights: Partial<Rights>) => string {
  const { i18n } = useLingui();
  return (rights) =>
    (["change", "view"] as const)
      .flatMap((level) => {
        const areas = rightAreas.filter((area) => rights[area] === level);
        const names = areas.map((area) => i18n._(rightAreaLabels[area]));
        return names.length === 0 ? [] : [`${i18n._(levelLabels[level])}: ${names.join(", ")}`];
      })
      .join(". ");
}

/** Tells what a role lets its member do; own rights are listed one by one. */
export function useRoleText(): (role: MemberRole, rights: Rights) => string {
  const { i18n } = useLingui();
  const rightsText = useRightsText();
  return (role, rights) => (role === "custom" ? rightsText(rights) : i18n._(roleHints[role]));
}
