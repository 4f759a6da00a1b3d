import { msg } from "@lingui/core/macro";

/** Sections of a shield, in the order of their tabs. */
export const sections = [
  { name: "overview", label: msg`Overview` },
  { name: "customization", label: msg`Customization` },
  { name: "firewall", label: msg`Firewall` },
] as const;

export type SectionName = (typeof sections)[number]["name"];

/** The section an address names; without one it is the overview, an unknown one is null. */
export function sectionOf(segment: string | undefined): SectionName | null {
  if (segment === undefined || segment === "") return "overview";
  return sections.find(({ name }) => name === segment)?.name ?? null;
}
