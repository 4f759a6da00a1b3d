import { Button } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Trans, useLingui } from "@lingui/react/macro";
import { confirmEmailChange } from "@palisade/contract/http/account";
import { IconMailCheck, IconMailX } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { call } from "#src/api/client.ts";
import { currentUserQuery } from "#src/api/current-user.ts";
import { errorText, isTransient } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { readToken } from "#src/api/session.ts";
import { paths } from "#src/lib/paths.ts";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { LinkButton } from "#src/ui/link-button.tsx";
import { FullScreenLoader } from "#src/ui/loader.tsx";
import classes from "./confirm-email.module.css";
import { useLinkToken } from "./confirm-token.ts";

type Outcome =
  | { readonly state: "waiting" }
  | { readonly state: "confirmed" }
  | { readonly state: "refused"; readonly error: unknown };

/** The page of the link sent to a new address. It works on any device, signed in or not. */
export function ConfirmEmailPage() {
  const { token } = useLinkToken();
  // The key restarts the confirmation when another link is opened in the same tab.
  return <Confirmation key={token} token={token} />;
}

function Confirmation({ token }: { token: string | null }) {
  const { t } = useLingui();
  const [outcome, confirm] = useConfirmation(token);
  useDocumentTitle(`${t`Confirm your new email`} · Palisade`);

  if (outcome.state === "waiting") return <FullScreenLoader />;
  return (
    <main className={classes["page"]}>
      <h1 className="visually-hidden">
        <Trans>Confirm your new email</Trans>
      </h1>
      {outcome.state === "confirmed" ? (
        <EmptyState
          icon={<IconMailCheck size={22} stroke={1.6} />}
          title={t`Email updated successfully`}
          text={<Trans>Every session has ended. Log in with your new address.</Trans>}
          action={
            <LinkButton to={paths.login}>
              <Trans>Log in</Trans>
            </LinkButton>
          }
        />
      ) : (
        <Refused error={outcome.error} onRetry={confirm} />
      )}
    </main>
  );
}

function Refused({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useLingui();
  return (
    <div role="alert">
      <EmptyState
        icon={<IconMailX size={22} stroke={1.6} />}
        title={t`Your email could not be changed`}
        text={
          isTransient(error)
            ? t`The server could not be reached. The link still works.`
            : errorText(error, t`This link has expired or was used already.`)
        }
        action={
          isTransient(error) ? (
            <Button onClick={onRetry}>
              <Trans>Try again</Trans>
            </Button>
          ) : (
            <LinkButton to={paths.profile} search={{ tab: "security" }} variant="default">
              <Trans>To your profile</Trans>
            </LinkButton>
          )
        }
      />
    </div>
  );
}

/** The change ended every session of the account: check whether this browser's was one of them. */
async function checkSession(): Promise<void> {
  if (readToken() === null) return;
  await queryClient.fetchQuery({ ...currentUserQuery, staleTime: 0 }).catch(() => undefined);
}

/** Redeems the token when the page opens. Only a lost connection allows another try. */
function useConfirmation(token: string | null): [Outcome, () => void] {
  const [outcome, setOutcome] = useState<Outcome>(
    token === null ? { state: "refused", error: null } : { state: "waiting" },
  );
  const isStarted = useRef(token === null);

  async function confirm() {
    setOutcome({ state: "waiting" });
    try {
      await call(confirmEmailChange, { body: { token: token ?? "" } });
      await checkSession();
      setOutcome({ state: "confirmed" });
    } catch (error) {
      setOutcome({ state: "refused", error });
    }
  }

  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    void confirm();
  });
  return [outcome, () => void confirm()];
}
