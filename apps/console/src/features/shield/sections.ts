import { msg } from "@lingui/core/macro";

/** All sections of a shield, in the order of their tabs. Doctor and attacks belong to the overview: no tab. */
export const sections = [
  { name: "overview", label: msg`Overview` },
  { name: "analytics", label: msg`Analytics` },
  { name: "logs", label: msg`Logs` },
  { name: "backends", label: msg`Backends` },
  { name: "domains", label: msg`Domains` },
  { name: "mitigation", label: msg`Mitigation` },
  { name: "caching", label: msg`Caching` },
  { name: "customization", label: msg`Customization` },
  { name: "bedrock-geyser", label: msg`Bedrock/Geyser` },
  { name: "notifications", label: msg`Notifications` },
  { name: "firewall", label: msg`Firewall` },
  { name: "subusers", label: msg`Subusers` },
  { name: "history", label: msg`History` },
  { name: "doctor", label: msg`Doctor` },
  { name: "attacks", label: msg`Attacks` },
] as const;

export type SectionName = (typeof sections)[number]["name"];

export const tabs = sections.filter(({ name }) => name !== "doctor" && name !== "attacks");

/** The section in the address: the overview if empty, null if unknown. */
export function sectionOf(segment: string | undefined): SectionName | null {
  if (segment === undefined || segment === "") return "overview";
  return sections.find(({ name }) => name === segment)?.name ?? null;
}
