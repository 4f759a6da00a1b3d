import { Button, Skeleton } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Trans, useLingui } from "@lingui/react/macro";
import { IconMailX } from "@tabler/icons-react";
import { useQuery, queryOptions } from "@tanstack/react-query";
import { useState } from "react";
import { getInvitation } from "@palisade/contract/http/sub-users";
import { call } from "#src/api/client.ts";
import { errorText, isTransient } from "#src/api/errors.ts";
import { readToken } from "#src/api/session.ts";
import { paths } from "#src/lib/paths.ts";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { LinkButton } from "#src/ui/link-button.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { InvitationAnswer } from "./invitation-answer.tsx";
import { InvitationDetails } from "./invitation-details.tsx";
import classes from "./invitation.module.css";
import { invitationToken } from "./invitation-token.ts";

/** The page of an invitation link, for users with or without an account, signed in or not. */
export function InvitationPage() {
  const { t } = useLingui();
  const [declined, setDeclined] = useState(false);
  const token = invitationToken.read();
  const { data, error, isPending, refetch } = useQuery({
    ...invitationQuery(token ?? ""),
    enabled: token !== null && !declined,
  });
  useDocumentTitle(`${t`Invitation`} · Palisade`);

  if (declined) return <Ended title={t`Invitation declined`} text={t`The link no longer works.`} />;
  if (token === null || (error && !isTransient(error))) {
    return (
      <Ended
        title={t`This invitation does not work`}
        text={errorText(error, t`Open the link in the mail again, or ask the owner for a new one.`)}
      />
    );
  }
  if (error) {
    return (
      <Ended
        title={t`The invitation could not be loaded`}
        text={t`The server could not be reached. The link still works.`}
        action={
          <Button onClick={() => void refetch()}>
            <Trans>Try again</Trans>
          </Button>
        }
      />
    );
  }
  if (isPending) {
    return (
      <LoadingRegion className={classes["page"]}>
        <Skeleton height={60} radius={10} />
        <Skeleton height={190} radius={10} />
      </LoadingRegion>
    );
  }
  return (
    <div className={classes["page"]}>
      <div className={classes["intro"]}>
        <h1>
          <Trans>You are invited</Trans>
        </h1>
        <p>
          <Trans>
            The owner of a game server shares its protection with you. Only the owner can change the
            plan, delete the shield and decide who has access.
          </Trans>
        </p>
      </div>
      <InvitationDetails invitation={data} />
      <InvitationAnswer invitation={data} token={token} onDeclined={() => setDeclined(true)} />
    </div>
  );
}

function Ended(props: { title: string; text: string; action?: React.ReactNode }) {
  const isIn = readToken() !== null;
  return (
    <div role="alert" className={classes["page"]}>
      <h1 className="visually-hidden">{props.title}</h1>
      <EmptyState
        icon={<IconMailX size={22} stroke={1.6} />}
        title={props.title}
        text={props.text}
        action={
          props.action ?? (
            <LinkButton to={isIn ? paths.dashboard : paths.login} variant="default">
              {isIn ? <Trans>To the dashboard</Trans> : <Trans>Log in</Trans>}
            </LinkButton>
          )
        }
      />
    </div>
  );
}

function invitationQuery(token: string) {
  return queryOptions({
    queryKey: ["invitation", token],
    queryFn: async ({ signal }) =>
      (await call(getInvitation, { body: { token }, signal })).data.invitation,
  });
}
