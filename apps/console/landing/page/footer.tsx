import { Trans, useLingui } from "@lingui/react/macro";
import { useSyncExternalStore, type ReactNode } from "react";
import { consolePaths, statusPath } from "@palisade/contract/console-paths";
import { operator } from "../operator.ts";
import classes from "./footer.module.css";
import { Brand } from "./header-parts.tsx";

export function Footer() {
  const { t } = useLingui();
  return (
    <footer className={classes["footer"]}>
      <div className={classes["inner"]}>
        <div>
          <Brand />
          <Copyright />
        </div>
        <nav aria-label={t`Account`}>
          <a href={consolePaths.dashboard}>
            <Trans>Personal cabinet</Trans>
          </a>
          <a href={consolePaths.register}>
            <Trans>Sign up</Trans>
          </a>
          <a href={consolePaths.login}>
            <Trans>Log in</Trans>
          </a>
        </nav>
        <nav aria-label={t`About`}>
          <a href={consolePaths.terms}>
            <Trans>Terms of service</Trans>
          </a>
          <a href={consolePaths.privacy}>
            <Trans>Privacy policy</Trans>
          </a>
          <a href={statusPath}>
            <Trans>Status</Trans>
          </a>
          <a href="/api/docs/">
            <Trans>API reference</Trans>
          </a>
          <Outside href={operator.source}>
            <Trans>Source code</Trans>
          </Outside>
          <Outside href={operator.discord}>Discord</Outside>
        </nav>
      </div>
    </footer>
  );
}

/** The page is rendered ahead when the console is built; the year comes with the visitor's clock. */
function Copyright() {
  const year = useSyncExternalStore(subscribeNever, currentYear, () => null);
  return <p>{year === null ? "© Palisade" : `© ${year} Palisade`}</p>;
}

function currentYear(): number {
  return new Date().getFullYear();
}

function subscribeNever(): () => void {
  return () => undefined;
}

/** A link that the operator has not configured is left out. */
function Outside({ href, children }: { href: string; children: ReactNode }) {
  if (href === "") return null;
  return (
    <a href={href} rel="noreferrer">
      {children}
    </a>
  );
}
