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

/** Below /dashboard the navigation stays visible. */
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
  // A new tab has no page to go back to.
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
        <Trans>
          There is no page at this address. It may have moved, or the link is incomplete.
        </Trans>
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

/** For unexpected errors, and for a user that could not be loaded. */
export function CrashPage({ error, reset }: ErrorComponentProps) {
  const { t } = useLingui();
  const router = useRouter();
  return (
    <main className={classes["page"]}>
      <ErrorState
        error={error}
        title={t`Something went wrong`}
        onRetry={() => {
          // Not an error of the api: code that failed or did not load. The browser remembers the
          // failure, so only a new document helps.
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
