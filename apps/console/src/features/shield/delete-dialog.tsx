import { Button, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { serverLifeRoutes } from "@palisade/contract/http/server-life";
import type { Server } from "@palisade/contract/http/servers";
import {
  IconAlertTriangle,
  IconCoinEuro,
  IconHistory,
  IconUsers,
  IconWorld,
} from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { call } from "#src/api/client.ts";
import { errorText, fieldIssues } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { refreshShields, restoreShield } from "#src/api/shields.ts";
import { StepUpDeclined, withStepUp } from "#src/api/step-up.ts";
import { paths } from "#src/lib/paths.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Banner } from "#src/ui/banner.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { toast, undoToast } from "#src/ui/toasts.tsx";
import classes from "./shield.module.css";

interface DeleteDialogProps {
  readonly shield: Server;
  readonly onClose: () => void;
}

/** Requires the shield's name; then leads to the dashboard, where the deletion can be undone. */
export function DeleteDialog({ shield, onClose }: DeleteDialogProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const formId = useId();
  const [typed, setTyped] = useState("");
  const name = shield.server_name;
  const matches = typed.trim() === name.trim();
  const failed = t`Failed to restore server`;

  const erase = useMutation({
    mutationFn: () =>
      withStepUp(() =>
        call(serverLifeRoutes.deleteServer, {
          params: { id: shield.id },
          body: { server_name: typed },
        }),
      ),
    onSuccess: async ({ data }) => {
      // Unsaved entries of a deleted shield cannot be kept.
      await navigate({ to: paths.dashboard, ignoreBlocker: true });
      queryClient.removeQueries({ queryKey: ["servers", shield.id] });
      undoToast(data.message, () => {
        restoreShield(shield.id).then(
          (message) => toast("success", message),
          (error: unknown) => toast("error", errorText(error, failed)),
        );
      });
      await refreshShields();
    },
  });

  const failure = erase.error instanceof StepUpDeclined ? null : erase.error;

  return (
    <Dialog
      opened
      title={t`Delete ${name}?`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <ActionButton
            type="submit"
            form={formId}
            color="danger"
            disabled={!matches}
            loading={erase.isPending}
          >
            <Trans>Delete server</Trans>
          </ActionButton>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (matches && !erase.isPending) erase.mutate();
        }}
      >
        <Consequences />
        <TextInput
          label={t`Type ${name} to confirm`}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        {failure === null ? null : (
          <div className={classes["below"]}>
            <Banner
              tone="danger"
              live="assertive"
              icon={<IconAlertTriangle size={18} stroke={1.6} />}
            >
              {fieldIssues(failure)["server_name"] ??
                errorText(failure, t`Failed to delete resource`)}
            </Banner>
          </div>
        )}
      </form>
    </Dialog>
  );
}

function Consequences() {
  return (
    <ul className={classes["consequences"]}>
      <li>
        <IconUsers size={16} stroke={1.6} aria-hidden="true" />
        <span>
          <Trans>New players cannot join any more. Sub-users lose access.</Trans>
        </span>
      </li>
      <li>
        <IconCoinEuro size={16} stroke={1.6} aria-hidden="true" />
        <span>
          <Trans>Its plan ends at once. Payments are not refunded.</Trans>
        </span>
      </li>
      <li>
        <IconWorld size={16} stroke={1.6} aria-hidden="true" />
        <span>
          <Trans>Its domains can be used by other shields. Its CNAME target is never reused.</Trans>
        </span>
      </li>
      <li>
        <IconHistory size={16} stroke={1.6} aria-hidden="true" />
        <span>
          <Trans>You can restore it with all its settings for 14 days.</Trans>
        </span>
      </li>
    </ul>
  );
}
