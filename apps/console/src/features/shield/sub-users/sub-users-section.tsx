import { Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { subUsersMax } from "@palisade/contract/http/sub-users";
import type { Server } from "@palisade/contract/http/servers";
import { IconUserPlus, IconUsers } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ActionButton } from "#src/ui/action-button.tsx";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { AddSubUserDialog } from "./add-sub-user-dialog.tsx";
import { MemberView } from "./member-view.tsx";
import { SubUserTable } from "./sub-user-table.tsx";
import classes from "./sub-users.module.css";
import { subUsersQuery } from "./sub-users.queries.ts";

export function SubUsersSection({ shield }: { readonly shield: Server }) {
  return shield.role === "owner" ? <OwnerView shield={shield} /> : <MemberView shield={shield} />;
}

function OwnerView({ shield }: { shield: Server }) {
  const { t } = useLingui();
  const [adding, setAdding] = useState(false);
  const { data, error, isPending, refetch } = useQuery(subUsersQuery(shield.id));

  if (isPending) {
    return (
      <LoadingRegion className={classes["section"]}>
        <Skeleton height={260} radius={10} />
      </LoadingRegion>
    );
  }
  if (!data) {
    return (
      <Panel>
        <ErrorState
          error={error}
          title={t`Error fetching sub users`}
          onRetry={() => void refetch()}
        />
      </Panel>
    );
  }
  const used = data.length;
  return (
    <div className={classes["section"]}>
      <Panel
        prominent
        title={<Trans>Sub users</Trans>}
        note={
          <Trans>
            A role says what a sub-user sees and changes. Only you change the plan and the renewal,
            delete the shield and manage sub-users. {used} of {subUsersMax} places are taken.
          </Trans>
        }
        aside={
          <ActionButton
            leftSection={<IconUserPlus size={16} stroke={1.6} />}
            onClick={() => setAdding(true)}
          >
            <Trans>Add sub user</Trans>
          </ActionButton>
        }
      >
        {data.length === 0 ? (
          <EmptyState
            compact
            icon={<IconUsers size={22} stroke={1.6} />}
            title={t`No sub users found`}
            text={t`Invite people by e-mail or username to manage this server with you.`}
          />
        ) : (
          <SubUserTable shieldId={shield.id} subUsers={data} />
        )}
      </Panel>
      {adding ? <AddSubUserDialog shieldId={shield.id} onClose={() => setAdding(false)} /> : null}
    </div>
  );
}
