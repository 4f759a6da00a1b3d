import { Button } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Trans, useLingui } from "@lingui/react/macro";
import { createEdge, listEdges, type StaffEdge } from "@palisade/contract/http/staff-edges";
import { IconPlus, IconServer2 } from "@tabler/icons-react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { PageHead } from "#src/ui/page-head.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import parts from "../parts/parts.module.css";
import { StaffRows } from "../parts/staff-rows.tsx";
import { useMay } from "../parts/use-may.ts";
import { DrainDialog, RevokeDialog } from "./edge-dialogs.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { useEdgeColumns, type EdgeAction } from "./use-edge-columns.tsx";

const refreshMs = 10_000;

const edgesQuery = queryOptions({
  queryKey: ["staff", "edges"],
  queryFn: async ({ signal }) => (await call(listEdges, { signal })).data.edges,
  refetchInterval: refreshMs,
});

/** Edges and DNS servers: what each has of the configuration, and who is on it. */
export function EdgesPage() {
  const { t } = useLingui();
  useDocumentTitle(`${t`Edges`} · Palisade`);
  const query = useQuery(edgesQuery);
  const [isInviting, setInviting] = useState(false);
  const [opened, setOpened] = useState<{ action: EdgeAction; edge: StaffEdge } | null>(null);
  const may = useMay();
  const columns = useEdgeColumns((action, edge) => setOpened({ action, edge }));
  const close = () => setOpened(null);
  const invite = may(createEdge) ? (
    <Button leftSection={<IconPlus size={16} stroke={1.8} />} onClick={() => setInviting(true)}>
      <Trans>Invite edge</Trans>
    </Button>
  ) : undefined;
  return (
    <div className={parts["page"]}>
      <PageHead title={<Trans>Edges</Trans>} aside={invite} />
      <QueryBoundary query={query} errorTitle={t`The edges could not be loaded`}>
        {(edges) => {
          const present = edges.filter(({ state }) => state !== "revoked");
          const revoked = edges.filter(({ state }) => state === "revoked");
          return (
            <>
              <Panel>
                {present.length === 0 ? (
                  <EmptyState
                    icon={<IconServer2 size={22} stroke={1.6} />}
                    title={t`No edges yet`}
                    text={
                      <Trans>
                        An edge takes players in at a location. Invite one and start it with the
                        token.
                      </Trans>
                    }
                    action={invite}
                  />
                ) : (
                  <StaffRows
                    label={t`Edges`}
                    columns={columns}
                    rows={present}
                    keyOf={({ id }) => id}
                  />
                )}
              </Panel>
              {revoked.length === 0 ? null : (
                <Panel title={<Trans>Revoked</Trans>} prominent>
                  <StaffRows
                    label={t`Revoked`}
                    columns={columns.filter(({ key }) => !["load", "config"].includes(key))}
                    rows={revoked}
                    keyOf={({ id }) => id}
                  />
                </Panel>
              )}
            </>
          );
        }}
      </QueryBoundary>
      {isInviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
      {opened?.action === "drain" ? <DrainDialog edge={opened.edge} onClose={close} /> : null}
      {opened?.action === "revoke" ? <RevokeDialog edge={opened.edge} onClose={close} /> : null}
    </div>
  );
}
