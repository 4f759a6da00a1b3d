import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { useNavigate, useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import { useDocumentTitle } from "@mantine/hooks";
import { statusOf } from "#src/api/errors.ts";
import { paths } from "#src/lib/paths.ts";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LinkButton } from "#src/ui/link-button.tsx";
import { Logo } from "#src/ui/logo.tsx";
import classes from "./error-pages.module.css";

export function NotFoundPage() {
  return (
    <main className={classes["page"]}>
      <span className={classes["mark"]}>
        <Logo size={28} />
      </span>
      <NotFound />
    </main>
  );
}

/** Below /dashboard the frame stays: what was looked for is one click away in it. */
export function NotFoundInShell() {
  return (
    <div className={`${classes["page"]} ${classes["inside"]}`}>
      <NotFound />
    </div>
  );
}

function NotFound() {
  const { t } = useLingui();
  const router = useRouter();
  const navigate = useNavigate();
  useDocumentTitle(`${t`Page not found`} · Palisade`);
  // In a tab of its own there is nothing to go back to.
  const goBack = () => {
    if (globalThis.history.length > 1) router.history.back();
    else void navigate({ to: paths.dashboard });
  };
  return (
    <>
      <p className={classes["code"]}>404</p>
      <h1>
        <Trans>Page not found</Trans>
      </h1>
      <p className="dim">
        <Trans>Nothing is at this address. It may have moved, or the link is incomplete.</Trans>
      </p>
      <div className={classes["actions"]}>
        <Button onClick={goBack}>
          <Trans>Go Back</Trans>
        </Button>
        <LinkButton to={paths.dashboard} variant="default">
          <Trans>Dashboard</Trans>
        </LinkButton>
      </div>
    </>
  );
}

/** For what no screen expected, and for a user that could not be loaded. */
export function CrashPage({ error, reset }: ErrorComponentProps) {
  const { t } = useLingui();
  const router = useRouter();
  return (
    <main className={classes["page"]}>
      <ErrorState
        error={error}
        title={t`Something went wrong`}
        onRetry={() => {
          // Not an answer of the server: code that failed, or did not arrive, which a browser
          // remembers. Both want a new document.
          if (statusOf(error) === null) {
            globalThis.location.reload();
            return;
          }
          reset();
          void router.invalidate();
        }}
      />
    </main>
  );
}
