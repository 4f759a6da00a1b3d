import type { Server } from "@palisade/contract/http/servers";
import { useEffect, useState, type ComponentType } from "react";
import type { Change } from "./receipt.tsx";
import type { SectionName } from "./sections.ts";

interface SectionProps {
  readonly shield: Server;
  readonly onChange: (change: Change) => void;
}

type SectionComponent = ComponentType<SectionProps>;

/** Sections with code of their own; the overview is part of the page. */
export type LoadedSection = Exclude<SectionName, "overview">;

const importers: Record<LoadedSection, () => Promise<SectionComponent>> = {
  analytics: async () => (await import("./analytics/analytics-section.tsx")).AnalyticsSection,
  logs: async () => (await import("./logs/logs-section.tsx")).LogsSection,
  backends: async () => (await import("./backends/backends-section.tsx")).BackendsSection,
  domains: async () => (await import("./domains/domains-section.tsx")).DomainsSection,
  mitigation: async () => (await import("./mitigation/mitigation-section.tsx")).MitigationSection,
  caching: async () => (await import("./caching/caching-section.tsx")).CachingSection,
  customization: async () =>
    (await import("./customization/customization-section.tsx")).CustomizationSection,
  "bedrock-geyser": async () => (await import("./bedrock/bedrock-section.tsx")).BedrockSection,
  notifications: async () =>
    (await import("./notifications/notifications-section.tsx")).NotificationsSection,
  firewall: async () => (await import("./firewall/firewall-section.tsx")).FirewallSection,
  subusers: async () => (await import("./sub-users/sub-users-section.tsx")).SubUsersSection,
  history: async () => (await import("./history/history-section.tsx")).HistorySection,
  doctor: async () => (await import("./doctor/doctor-section.tsx")).DoctorSection,
  attacks: async () => (await import("./attacks/attacks-section.tsx")).AttacksSection,
};

const components = new Map<LoadedSection, SectionComponent>();
const loading = new Map<LoadedSection, Promise<void>>();

/** Loads the section's code once. After a failure, the next call tries again. */
export function loadSection(name: LoadedSection): Promise<void> {
  const known = loading.get(name);
  if (known !== undefined) return known;
  const begun = importers[name]()
    .then((component) => void components.set(name, component))
    .catch((cause: unknown) => {
      loading.delete(name);
      throw new Error("the section's code did not load", { cause });
    });
  loading.set(name, begun);
  return begun;
}

/**
 * The section's component, or undefined while its code loads. Without Suspense, which would keep the
 * skeleton for 300 ms however soon the code is there.
 *
 * @throws Error where the code does not load
 */
export function useSectionComponent(name: LoadedSection): SectionComponent | undefined {
  const [outcome, setOutcome] = useState<{ name: LoadedSection; error?: Error } | null>(null);
  const component = components.get(name);
  const isMissing = component === undefined;
  useEffect(() => {
    if (!isMissing) return undefined;
    let isGone = false;
    loadSection(name).then(
      () => !isGone && setOutcome({ name }),
      (error: Error) => !isGone && setOutcome({ name, error }),
    );
    return () => void (isGone = true);
  }, [name, isMissing]);
  if (isMissing && outcome?.name === name && outcome.error !== undefined) throw outcome.error;
  return component;
}
