import { allows, type RightArea, type RightLevel } from "@palisade/contract/http/member-rights";
import type { Server } from "@palisade/contract/http/servers";
import type { SectionName } from "./sections.ts";

/** The area of rights that a section belongs to; null where every member may open it. */
const areaOfSection: Readonly<Record<SectionName, RightArea | null>> = {
  overview: null,
  analytics: "general",
  logs: "logs",
  backends: "backends",
  domains: "domains",
  mitigation: "mitigation",
  caching: "caching",
  customization: "messages",
  "bedrock-geyser": "bedrock",
  notifications: "notifications",
  firewall: "firewall",
  subusers: null,
  history: "history",
  doctor: "backends",
  attacks: "logs",
};

/** Sections in which there is nothing to change. */
const readSections: ReadonlySet<SectionName> = new Set([
  "overview",
  "analytics",
  "logs",
  "history",
  "doctor",
  "attacks",
  "subusers",
] as const);

export function mayOpen(shield: Server, section: SectionName): boolean {
  return hasRight(shield, areaOfSection[section], "view");
}

export function mayChangeIn(shield: Server, section: SectionName): boolean {
  return readSections.has(section) || hasRight(shield, areaOfSection[section], "change");
}

export function mayRename(shield: Server): boolean {
  return hasRight(shield, "general", "change");
}

/** Whether the addresses of players are whole in the log. */
export function seesAddressesOf(shield: Server): boolean {
  return hasRight(shield, "addresses", "view");
}

/** Whether an address of the log or of an attack may be put on a list of the firewall. */
export function mayBlockAddresses(shield: Server): boolean {
  return seesAddressesOf(shield) && hasRight(shield, "firewall", "change");
}

function hasRight({ role, rights }: Server, area: RightArea | null, needed: RightLevel): boolean {
  return role === "owner" || area === null || allows(rights, area, needed);
}
