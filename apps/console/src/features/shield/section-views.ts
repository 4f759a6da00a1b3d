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

/** By a name of its own: the router answers the browser's with a reload, which offline shows nothing. */
function missing(cause: unknown): never {
  throw new Error("the code of the section did not arrive", { cause });
}

/** Each section is fetched when it is first opened; the overview, shown most, comes with the page. */
export const sectionViews: Record<Exclude<SectionName, "overview">, SectionView> = {
  backends: lazyRouteComponent(
    () => import("./backends/backends-section.tsx").catch(missing),
    "BackendsSection",
  ),
  domains: lazyRouteComponent(
    () => import("./domains/domains-section.tsx").catch(missing),
    "DomainsSection",
  ),
  mitigation: lazyRouteComponent(
    () => import("./mitigation/mitigation-section.tsx").catch(missing),
    "MitigationSection",
  ),
  caching: lazyRouteComponent(
    () => import("./caching/caching-section.tsx").catch(missing),
    "CachingSection",
  ),
  customization: lazyRouteComponent(
    () => import("./customization/customization-section.tsx").catch(missing),
    "CustomizationSection",
  ),
  firewall: lazyRouteComponent(
    () => import("./firewall/firewall-section.tsx").catch(missing),
    "FirewallSection",
  ),
  subusers: lazyRouteComponent(
    () => import("./sub-users/sub-users-section.tsx").catch(missing),
    "SubUsersSection",
  ),
  doctor: lazyRouteComponent(
    () => import("./doctor/doctor-section.tsx").catch(missing),
    "DoctorSection",
  ),
};
