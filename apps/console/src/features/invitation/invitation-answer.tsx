import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  acceptInvitation,
  declineInvitation,
  maskEmail,
  type Invitation,
} from "@palisade/contract/http/sub-users";
import { IconUserExclamation } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { call } from "#src/api/client.ts";
import { currentUserQuery } from "#src/api/current-user.ts";
import { errorText, hasCode } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { endSession, readToken, useStoredUser } from "#src/api/session.ts";
import { paths } from "#src/lib/paths.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Banner } from "#src/ui/banner.tsx";
import { LinkButton } from "#src/ui/link-button.tsx";
import { toast } from "#src/ui/toasts.tsx";
import classes from "./invitation.module.css";
import { invitationToken } from "./invitation-token.ts";

interface InvitationAnswerProps {
  readonly invitation: Invitation;
  readonly token: string;
  readonly onDeclined: () => void;
}

const backHere = { next: paths.invitation };

/** The possible answers, which depend on the signed-in account. */
export function InvitationAnswer({ invitation, token, onDeclined }: InvitationAnswerProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const user = useStoredUser((state) => state.user);
  useQuery({ ...currentUserQuery, enabled: readToken() !== null });
  const email = user?.email ?? null;

  const accept = useMutation({
    mutationFn: () => call(acceptInvitation, { body: { token } }),
    onSuccess: async ({ data }) => {
      invitationToken.clear();
      toast("success", data.message);
      await queryClient.invalidateQueries({ queryKey: ["servers"] });
      await navigate({
        to: paths.shield,
        params: { shieldId: data.server_id, section: undefined },
      });
    },
    onError: (error) => {
      if (!hasCode(error, "forbidden")) toast("error", errorText(error, t`Failed to accept`));
    },
  });
  const decline = useMutation({
    mutationFn: () => call(declineInvitation, { body: { token } }),
    onSuccess: () => {
      invitationToken.clear();
      onDeclined();
    },
    onError: (error) => toast("error", errorText(error, t`Failed to decline`)),
  });

  if (email === null) return <SignIn address={invitation.address} />;
  const { address } = invitation;
  // The api decides. A mask that differs only spares the user a useless try.
  const isOther = address.includes("@") && maskEmail(email).toLowerCase() !== address.toLowerCase();
  if (isOther || hasCode(accept.error, "forbidden")) {
    return <OtherAccount address={address} email={email} />;
  }
  return (
    <div className={classes["answer"]}>
      <p className={classes["note"]}>
        <Trans>
          You are signed in as <strong>{email}</strong>. The owner will see this address.
        </Trans>
      </p>
      <ActionButton
        size="md"
        fullWidth
        loading={accept.isPending || accept.isSuccess}
        onClick={() => accept.mutate()}
      >
        <Trans>Accept the invitation</Trans>
      </ActionButton>
      <ActionButton
        variant="default"
        size="md"
        fullWidth
        loading={decline.isPending}
        onClick={() => decline.mutate()}
      >
        <Trans>Decline</Trans>
      </ActionButton>
    </div>
  );
}

function SignIn({ address }: { address: string }) {
  return (
    <div className={classes["answer"]}>
      <p className={classes["note"]}>
        <Trans>
          This invitation is for the account of <strong>{address}</strong>. You return here after
          logging in.
        </Trans>
      </p>
      <LinkButton to={paths.register} search={backHere} size="md" fullWidth>
        <Trans>Create an account</Trans>
      </LinkButton>
      <LinkButton to={paths.login} search={backHere} size="md" fullWidth variant="default">
        <Trans>Log in</Trans>
      </LinkButton>
    </div>
  );
}

function OtherAccount({ address, email }: { address: string; email: string }) {
  const navigate = useNavigate();

  async function change() {
    endSession("logged_out");
    await navigate({ to: paths.login, search: backHere });
  }

  return (
    <div className={classes["answer"]}>
      <Banner tone="attack" live="polite" icon={<IconUserExclamation size={18} stroke={1.6} />}>
        <Trans>
          This invitation is for <strong>{address}</strong>, and you are signed in as{" "}
          <strong>{email}</strong>.
        </Trans>
      </Banner>
      <Button size="md" fullWidth onClick={() => void change()}>
        <Trans>Log in with another account</Trans>
      </Button>
      <LinkButton to={paths.dashboard} size="md" fullWidth variant="default">
        <Trans>To the dashboard</Trans>
      </LinkButton>
    </div>
  );
}
