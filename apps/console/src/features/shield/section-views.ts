import type { Server } from "@palisade/contract/http/servers";
import { lazyRouteComponent } from "@tanstack/react-router";
import type { ComponentType } from "react";
import type { Change } from "./receipt.tsx";
import type { SectionName } from "./sections.ts";

interface SectionProps {
  readonly server: Server;
  readonly onChange: (change: Change) => void;
}

type SectionView = ComponentType<SectionProps> & { preload?: () => Promise<void> | undefined };

/** Each section is fetched when it is first opened; the overview, shown most, comes with the page. */
export const sectionViews: Record<Exclude<SectionName, "overview">, SectionView> = {
  backends: lazyRouteComponent(() => import("./backends/backends-section.tsx"), "BackendsSection"),
  domains: lazyRouteComponent(() => import("./domains/domains-section.tsx"), "DomainsSection"),
  caching: lazyRouteComponent(() => import("./caching/caching-section.tsx"), "CachingSection"),
  customization: lazyRouteComponent(
    () => import("./customization/customization-section.tsx"),
    "CustomizationSection",
  ),
  firewall: lazyRouteComponent(() => import("./firewall/firewall-section.tsx"), "FirewallSection"),
  subusers: lazyRouteComponent(
    () => import("./sub-users/sub-users-section.tsx"),
    "SubUsersSection",
  ),
  doctor: lazyRouteComponent(() => import("./doctor/doctor-section.tsx"), "DoctorSection"),
};
