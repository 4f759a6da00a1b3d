import { Trans, useLingui } from "@lingui/react/macro";
import {
  revokeSession,
  revokeSessions,
  type AccountSession,
} from "@palisade/contract/http/account";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { logOut } from "#src/api/log-out.ts";
import { queryClient } from "#src/api/query-client.ts";
import { endSession } from "#src/api/session.ts";
import { withStepUp } from "#src/api/step-up.ts";
import { toastError } from "#src/ui/toast-error.ts";
import { useFocusAfterRemoval } from "#src/ui/focus-after-removal.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { ConfirmDialog } from "#src/ui/confirm-dialog.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { RelativeTime } from "#src/ui/time.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { sessionsQuery } from "../profile.queries.ts";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import classes from "./security.module.css";

export function SessionsPanel() {
  const { t } = useLingui();
  const [asking, setAsking] = useState(false);
  const revokeAll = useMutation({
    mutationFn: () => withStepUp(() => call(revokeSessions, {})),
    onSuccess: ({ data }) => {
      toast("success", data.message);
      endSession("logged_out");
    },
    onError: (error) => toastError(error, t`Failed to end the sessions`),
  });
  return (
    <Panel
      prominent
      title={t`Sessions`}
      note={t`The devices you are signed in on. End any session you do not recognise, then change your password.`}
      aside={
        <ActionButton
          variant="default"
          loading={revokeAll.isPending}
          onClick={() => setAsking(true)}
        >
          <Trans>End all</Trans>
        </ActionButton>
      }
    >
      <QueryBoundary query={useQuery(sessionsQuery)} errorTitle={t`Error fetching sessions`}>
        {(sessions) => (
          <ul className={classes["list"]} aria-label={t`Sessions`}>
            {sessions.map((session) => (
              <Session key={session.id} session={session} />
            ))}
          </ul>
        )}
      </QueryBoundary>
      <ConfirmDialog
        opened={asking}
        title={t`End all sessions`}
        action={t`End all`}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          revokeAll.mutate();
        }}
      >
        <Trans>You are signed out on every device, including this one.</Trans>
      </ConfirmDialog>
    </Panel>
  );
}

function Session({ session }: { session: AccountSession }) {
  const { t } = useLingui();
  const { device, ip } = session;
  const ref = useFocusAfterRemoval();
  const revoke = useMutation({
    mutationFn: () => withStepUp(() => call(revokeSession, { params: { id: session.id } })),
    onSuccess: ({ data }) => {
      toast("success", data.message);
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
    onError: (error) => {
      toastError(error, t`Failed to end the session`);
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
  });
  return (
    <li>
      <div className={classes["about"]}>
        <span className={classes["name"]}>
          {device}
          {session.is_current ? (
            <span className={classes["badge"]} data-tone="here">
              <Trans>This device</Trans>
            </span>
          ) : null}
        </span>
        <p>
          <span className="mono">{ip}</span>
          {" · "}
          <Trans>
            Last seen <RelativeTime at={session.last_seen_at} />
          </Trans>
          {" · "}
          <Trans>
            Signed in <RelativeTime at={session.created_at} />
          </Trans>
        </p>
      </div>
      <ActionButton
        ref={ref}
        variant="default"
        size="xs"
        data-remove
        {...(session.is_current ? {} : { "aria-label": t`End the session on ${device}` })}
        loading={revoke.isPending}
        onClick={() => (session.is_current ? void logOut() : revoke.mutate())}
      >
        {session.is_current ? <Trans>Log out</Trans> : <Trans>End</Trans>}
      </ActionButton>
    </li>
  );
}
