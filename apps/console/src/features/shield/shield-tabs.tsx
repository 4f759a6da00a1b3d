import { useLingui } from "@lingui/react/macro";
import type { Server } from "@palisade/contract/http/servers";
import { Link } from "@tanstack/react-router";
import { IconLock } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { paths } from "#src/lib/paths.ts";
import { toast } from "#src/ui/toasts.tsx";
import { loadSection } from "./section-components.ts";
import { tabs, type SectionName } from "./sections.ts";
import { mayOpen } from "./shield-rights.ts";
import { useOverflow } from "./use-overflow.ts";
import classes from "./shield.module.css";

export function ShieldTabs({ shield, current }: { shield: Server; current: SectionName }) {
  const { t, i18n } = useLingui();
  const active = shield.status === "active";
  const shownTabs = tabs.filter(({ name }) => mayOpen(shield, name));
  const bar = useRef<HTMLElement>(null);
  const more = useOverflow(bar);
  useEffect(() => {
    const element = bar.current;
    const tab = element?.querySelector<HTMLElement>(`[data-section="${current}"]`);
    if (!element || !tab) return;
    element.scrollLeft = tab.offsetLeft - (element.clientWidth - tab.clientWidth) / 2;
  }, [current]);
  return (
    <nav
      ref={bar}
      className={classes["tabs"]}
      aria-label={t`Sections`}
      data-more={more ?? undefined}
    >
      {shownTabs.map(({ name, label }) =>
        active || name === "overview" ? (
          <Link
            key={name}
            data-section={name}
            className={classes["tab"]}
            data-current={name === current || undefined}
            {...(name === current ? { "aria-current": "page" as const } : {})}
            activeProps={{}}
            // Loads the code early; a failure shows when the tab is opened.
            onMouseEnter={() => void preload(name)}
            onFocus={() => void preload(name)}
            to={paths.shield}
            params={{ shieldId: shield.id, section: name === "overview" ? undefined : name }}
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

async function preload(name: SectionName): Promise<void> {
  if (name === "overview") return;
  await loadSection(name).catch(() => undefined);
}
