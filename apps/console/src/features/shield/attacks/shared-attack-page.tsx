import { useDocumentTitle } from "@mantine/hooks";
import { Trans, useLingui } from "@lingui/react/macro";
import { IconLinkOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { absoluteTime } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { LinkBoundary } from "#src/ui/link-boundary.tsx";
import { Logo } from "#src/ui/logo.tsx";
import { LanguageSwitch, ThemeSwitch } from "#src/ui/preference-switches.tsx";
import { AttackFigures, AttackReportPanels } from "./attack-report.tsx";
import classes from "./attack.module.css";
import { sharedAttackQuery } from "./attacks.queries.ts";

/** The page of a link to one attack, for anyone who has it. */
export function SharedAttackPage() {
  const { t } = useLingui();
  useDocumentTitle(`${t`Attack report`} · Palisade`);
  return (
    <div className={classes["public"]}>
      <meta name="robots" content="noindex, nofollow" />
      <meta name="referrer" content="no-referrer" />
      <header className={classes["head"]}>
        {/* The landing page is another document, so this is a plain link. */}
        <a href="/" className={classes["brand"]}>
          <Logo />
          Palisade
        </a>
        <ThemeSwitch />
        <LanguageSwitch />
      </header>
      <main className={classes["page"]}>
        <h1 className={classes["title"]}>
          <Trans>Attack report</Trans>
        </h1>
        <SharedAttack />
      </main>
    </div>
  );
}

function SharedAttack() {
  const { t } = useLingui();
  const { locale } = useLocale();
  const { hash } = useLocation();
  const token = new URLSearchParams(hash.replace(/^#/, "")).get("token") ?? "";
  const query = useQuery({ ...sharedAttackQuery(token), enabled: token !== "" });
  return (
    <LinkBoundary
      query={query}
      hasToken={token !== ""}
      icon={<IconLinkOff size={22} stroke={1.6} />}
      gone={{
        title: t`This link does not work`,
        text: t`It is incomplete, has ended, or was revoked. Ask for a new one.`,
      }}
      unreachableTitle={t`The report could not be loaded`}
      className={classes["page"]}
      skeletonHeights={[110, 300]}
    >
      {({ attack, expires_at }) => {
        const until = absoluteTime(locale, new Date(expires_at));
        return (
          <>
            <AttackFigures attack={attack} />
            <AttackReportPanels attack={attack} threshold={null} datagramsThreshold={null} />
            <p className={classes["none"]}>
              <Trans>
                This link is valid until {until}. It shows no addresses, no players online and no
                settings.
              </Trans>
            </p>
          </>
        );
      }}
    </LinkBoundary>
  );
}
