import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { leaveServer } from "@palisade/contract/http/sub-users";
import type { Server } from "@palisade/contract/http/servers";
import { IconUserShield } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { errorText } from "#src/api/errors.ts";
import { queryClient } from "#src/api/query-client.ts";
import { paths } from "#src/lib/paths.ts";
import { ConfirmDialog } from "#src/ui/confirm-dialog.tsx";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { roleLabels, useRoleText } from "#src/ui/role-labels.ts";
import { Panel } from "#src/ui/panel.tsx";
import { toast } from "#src/ui/toasts.tsx";

/** Only the owner sees the list; a sub-user can leave the shield. */
export function MemberView({ shield }: { shield: Server }) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const leave = useMutation({
    mutationFn: () => call(leaveServer, { params: { id: shield.id } }),
    onSuccess: async ({ data }) => {
      toast("success", data.message);
      await navigate({ to: paths.dashboard, replace: true });
      queryClient.removeQueries({ queryKey: ["servers", shield.id] });
      await queryClient.invalidateQueries({ queryKey: ["servers"] });
    },
    onError: (error) => toast("error", errorText(error, t`Failed to leave the shield`)),
  });
  const name = shield.server_name;
  const memberRole = shield.member_role ?? "manager";
  const role = i18n._(roleLabels[memberRole]);
  const hint = useRoleText()(memberRole, shield.rights);
  return (
    <Panel>
      <EmptyState
        icon={<IconUserShield size={22} stroke={1.6} />}
        title={t`Only the owner manages sub-users`}
        text={`${t`This shield was shared with you. Your role: ${role}.`} ${hint}`}
        action={
          <Button variant="default" loading={leave.isPending} onClick={() => setAsking(true)}>
            <Trans>Leave this shield</Trans>
          </Button>
        }
      />
      <ConfirmDialog
        opened={asking}
        title={t`Leave this shield`}
        action={t`Leave`}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          leave.mutate();
        }}
      >
        <Trans>You lose access to {name} at once. Only its owner can invite you again.</Trans>
      </ConfirmDialog>
    </Panel>
  );
}
