import { msg } from "@lingui/core/macro";

/** Sections of a shield, in the order of their tabs. The doctor belongs to the overview: no tab. */
export const sections = [
  { name: "overview", label: msg`Overview` },
  { name: "backends", label: msg`Backends` },
  { name: "domains", label: msg`Domains` },
  { name: "mitigation", label: msg`Mitigation` },
  { name: "caching", label: msg`Caching` },
  { name: "customization", label: msg`Customization` },
  { name: "notifications", label: msg`Notifications` },
  { name: "firewall", label: msg`Firewall` },
  { name: "subusers", label: msg`Subusers` },
  { name: "history", label: msg`History` },
  { name: "doctor", label: msg`Doctor` },
] as const;

export const tabs = sections.filter(({ name }) => name !== "doctor");

export type SectionName = (typeof sections)[number]["name"];

/** The section in the address: the overview if empty, null if unknown. */
export function sectionOf(segment: string | undefined): SectionName | null {
  if (segment === undefined || segment === "") return "overview";
  return sections.find(({ name }) => name === segment)?.name ?? null;
}
