import { useDocumentTitle } from "@mantine/hooks";
import { Trans, useLingui } from "@lingui/react/macro";
import { IconMailX } from "@tabler/icons-react";
import { useQuery, queryOptions } from "@tanstack/react-query";
import { useState } from "react";
import { getInvitation } from "@palisade/contract/http/sub-users";
import { call } from "#src/api/client.ts";
import { errorText } from "#src/api/errors.ts";
import { readToken } from "#src/api/session.ts";
import { paths } from "#src/lib/paths.ts";
import { isGone, LinkBoundary, LinkEnd } from "#src/ui/link-boundary.tsx";
import { LinkButton } from "#src/ui/link-button.tsx";
import { InvitationAnswer } from "./invitation-answer.tsx";
import { InvitationDetails } from "./invitation-details.tsx";
import classes from "./invitation.module.css";
import { invitationToken } from "./invitation-token.ts";

/** The page of an invitation link, for users with or without an account, signed in or not. */
export function InvitationPage() {
  const { t } = useLingui();
  const [declined, setDeclined] = useState(false);
  const token = invitationToken.read() ?? "";
  const query = useQuery({ ...invitationQuery(token), enabled: token !== "" && !declined });
  useDocumentTitle(`${t`Invitation`} · Palisade`);
  const icon = <IconMailX size={22} stroke={1.6} />;

  return (
    <>
      {query.data === undefined || declined || isGone(query.error) ? (
        <h1 className="visually-hidden">
          <Trans>Invitation</Trans>
        </h1>
      ) : null}
      {declined ? (
        <LinkEnd
          icon={icon}
          className={classes["page"]}
          title={t`Invitation declined`}
          text={t`The link no longer works.`}
          action={<Onward />}
        />
      ) : (
        <LinkBoundary
          query={query}
          hasToken={token !== ""}
          icon={icon}
          gone={{
            title: t`This invitation does not work`,
            text: errorText(
              query.error,
              t`Open the link in the mail again, or ask the owner for a new one.`,
            ),
            action: <Onward />,
          }}
          unreachableTitle={t`The invitation could not be loaded`}
          className={classes["page"]}
          skeletonHeights={[60, 190]}
        >
          {(invitation) => (
            <div className={classes["page"]}>
              <div className={classes["intro"]}>
                <h1>
                  <Trans>You are invited</Trans>
                </h1>
                <p>
                  <Trans>
                    The owner of a game server shares its protection with you. Only the owner can
                    change the plan, delete the shield and decide who has access.
                  </Trans>
                </p>
              </div>
              <InvitationDetails invitation={invitation} />
              <InvitationAnswer
                invitation={invitation}
                token={token}
                onDeclined={() => setDeclined(true)}
              />
            </div>
          )}
        </LinkBoundary>
      )}
    </>
  );
}

/** The way on from a link that leads to nothing. */
function Onward() {
  const isIn = readToken() !== null;
  return (
    <LinkButton to={isIn ? paths.dashboard : paths.login} variant="default">
      {isIn ? <Trans>To the dashboard</Trans> : <Trans>Log in</Trans>}
    </LinkButton>
  );
}

function invitationQuery(token: string) {
  return queryOptions({
    queryKey: ["invitation", token],
    queryFn: async ({ signal }) =>
      (await call(getInvitation, { body: { token }, signal })).data.invitation,
  });
}
