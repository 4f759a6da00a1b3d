import { Link } from "@tanstack/react-router";
import { useLocale } from "#src/lib/preferences.ts";
import { count as formatCount } from "#src/lib/format.ts";
import classes from "./tab-links.module.css";

interface TabLinksProps {
  readonly label: string;
  readonly current: string;
  readonly tabs: readonly { name: string; label: string; count?: number }[];
  /** Parameters of one tab, as its page and filters are: another tab begins without them. */
  readonly ownParameters?: readonly string[];
}

/** Tabs in the address as `?tab=`; the first tab has no parameter. */
export function TabLinks({ label, current, tabs, ownParameters }: TabLinksProps) {
  const { locale } = useLocale();
  return (
    <nav className={classes["tabs"]} aria-label={label}>
      {tabs.map((tab, index) => (
        <Link
          key={tab.name}
          to="."
          search={(all: Record<string, unknown>) => ({
            ...all,
            ...Object.fromEntries((ownParameters ?? []).map((name) => [name, undefined])),
            tab: index === 0 ? undefined : tab.name,
          })}
          className={classes["tab"]}
          data-current={tab.name === current || undefined}
          {...(tab.name === current ? { "aria-current": "true" as const } : {})}
        >
          {tab.label}
          {tab.count === undefined ? null : (
            <span className={classes["count"]}>{formatCount(locale, tab.count)}</span>
          )}
        </Link>
      ))}
    </nav>
  );
}
