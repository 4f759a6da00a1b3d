import type { Server } from "@palisade/contract/http/servers";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { ComponentType } from "react";
import type { Change } from "./receipt.tsx";
import type { SectionName } from "./sections.ts";

interface SectionProps {
  readonly shield: Server;
  readonly onChange: (change: Change) => void;
}

type SectionComponent = ComponentType<SectionProps> & { preload?: () => Promise<void> | undefined };

/** A separate error: the router reloads the page on the browser's own, which fails offline. */
function failToLoad(cause: unknown): never {
  throw new Error("the section's code did not load", { cause });
}

/** Each section's code loads when it is first opened; the overview is part of the page. */
export const sectionComponents: Record<Exclude<SectionName, "overview">, SectionComponent> = {
  analytics: lazyRouteComponent(
    () => import("./analytics/analytics-section.tsx").catch(failToLoad),
    "AnalyticsSection",
  ),
  logs: lazyRouteComponent(
    () => import("./logs/logs-section.tsx").catch(failToLoad),
    "LogsSection",
  ),
  backends: lazyRouteComponent(
    () => import("./backends/backends-section.tsx").catch(failToLoad),
    "BackendsSection",
  ),
  domains: lazyRouteComponent(
    () => import("./domains/domains-section.tsx").catch(failToLoad),
    "DomainsSection",
  ),
  mitigation: lazyRouteComponent(
    () => import("./mitigation/mitigation-section.tsx").catch(failToLoad),
    "MitigationSection",
  ),
  caching: lazyRouteComponent(
    () => import("./caching/caching-section.tsx").catch(failToLoad),
    "CachingSection",
  ),
  customization: lazyRouteComponent(
    () => import("./customization/customization-section.tsx").catch(failToLoad),
    "CustomizationSection",
  ),
  notifications: lazyRouteComponent(
    () => import("./notifications/notifications-section.tsx").catch(failToLoad),
    "NotificationsSection",
  ),
  firewall: lazyRouteComponent(
    () => import("./firewall/firewall-section.tsx").catch(failToLoad),
    "FirewallSection",
  ),
  subusers: lazyRouteComponent(
    () => import("./sub-users/sub-users-section.tsx").catch(failToLoad),
    "SubUsersSection",
  ),
  history: lazyRouteComponent(
    () => import("./history/history-section.tsx").catch(failToLoad),
    "HistorySection",
  ),
  doctor: lazyRouteComponent(
    () => import("./doctor/doctor-section.tsx").catch(failToLoad),
    "DoctorSection",
  ),
  attacks: lazyRouteComponent(
    () => import("./attacks/attacks-section.tsx").catch(failToLoad),
    "AttacksSection",
  ),
};
