import { useLingui } from "@lingui/react/macro";
import type { Server } from "@palisade/contract/http/servers";
import { Link } from "@tanstack/react-router";
import { IconLock } from "@tabler/icons-react";
import { toast } from "#src/ui/toasts.tsx";
import { tabs, type SectionName } from "./sections.ts";
import classes from "./shield.module.css";

export function ShieldTabs({ server, current }: { server: Server; current: SectionName }) {
  const { t, i18n } = useLingui();
  const active = server.status === "active";
  return (
    <nav className={classes["tabs"]} aria-label={t`Sections`}>
      {tabs.map(({ name, label }) =>
        active || name === "overview" ? (
          <Link
            key={name}
            className={classes["tab"]}
            data-current={name === current || undefined}
            {...(name === current ? { "aria-current": "page" as const } : {})}
            activeProps={{}}
            to="/dashboard/gameshield/$serverId/{-$section}"
            params={{ serverId: server.id, section: name === "overview" ? undefined : name }}
          >
            {i18n._(label)}
          </Link>
        ) : (
          <button
            key={name}
            type="button"
            className={classes["tab"]}
            aria-disabled="true"
            onClick={() => toast("error", t`Server must be active to access this section`)}
          >
            {i18n._(label)}
            <IconLock size={14} stroke={1.6} aria-hidden="true" />
          </button>
        ),
      )}
    </nav>
  );
}
