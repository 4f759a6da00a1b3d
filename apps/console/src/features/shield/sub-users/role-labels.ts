import { msg } from "@lingui/core/macro";
import type { MessageDescriptor } from "@lingui/core";
import type { MemberRole, RightArea, RightLevel } from "@palisade/contract/http/member-rights";

export const roleLabels: Record<MemberRole, MessageDescriptor> = {
  viewer: msg`Viewer`,
  operator: msg`Operator`,
  manager: msg`Manager`,
  custom: msg`Custom`,
};

export const roleHints: Record<MemberRole, MessageDescriptor> = {
  viewer: msg`Sees everything but the history, and changes nothing.`,
  operator: msg`Changes mitigation, firewall and messages, and sees the rest.`,
  manager: msg`Changes everything except plan, renewal, deletion and sub-users.`,
  custom: msg`Has the rights you choose for each area.`,
};

export const rightAreaLabels: Record<RightArea, MessageDescriptor> = {
  general: msg`Overview and name`,
  logs: msg`Attacks and log`,
  backends: msg`Backends`,
  domains: msg`Domains`,
  mitigation: msg`Mitigation`,
  caching: msg`Caching`,
  messages: msg`Customization`,
  firewall: msg`Firewall`,
  history: msg`History`,
};

export const levelLabels: Record<RightLevel, MessageDescriptor> = {
  none: msg`No access`,
  view: msg`View`,
  change: msg`View and change`,
};
