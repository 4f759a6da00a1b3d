import { Button } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { statusPath } from "@palisade/contract/console-paths";
import type { IncidentKind, StatusIncident } from "@palisade/contract/http/status-page";
import { useQuery } from "@tanstack/react-query";
import { IconExternalLink, IconHeartbeat } from "@tabler/icons-react";
import { useState } from "react";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { PageHead } from "#src/ui/page-head.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import { EditDialog, PublishDialog, UpdateDialog } from "./incident-dialogs.tsx";
import { IncidentItem } from "./incident-item.tsx";
import { incidentsQuery } from "./status.queries.ts";
import classes from "./status.module.css";

type Asked =
  | { readonly action: "publish"; readonly kind: IncidentKind }
  | { readonly action: "update" | "edit"; readonly incident: StatusIncident };

/** Incidents and maintenances, as staff write them for the public status page. */
export function StatusPage() {
  const { t } = useLingui();
  const query = useQuery(incidentsQuery);
  const [asked, ask] = useState<Asked | null>(null);
  const locations = query.data?.locations ?? [];
  const close = () => ask(null);
  useDocumentTitle(`${t`Status page`} · Palisade`);

  return (
    <div className={classes["page"]}>
      <PageHead
        title={<Trans>Status page</Trans>}
        aside={
          <div className={classes["actions"]}>
            <Button
              component="a"
              href={statusPath}
              target="_blank"
              rel="noreferrer"
              variant="default"
              leftSection={<IconExternalLink size={16} stroke={1.6} />}
            >
              <Trans>As visitors see it</Trans>
            </Button>
            <Button
              variant="default"
              disabled={query.data === undefined}
              onClick={() => ask({ action: "publish", kind: "maintenance" })}
            >
              <Trans>Plan a maintenance</Trans>
            </Button>
            <Button
              disabled={query.data === undefined}
              onClick={() => ask({ action: "publish", kind: "incident" })}
            >
              <Trans>Publish an incident</Trans>
            </Button>
          </div>
        }
      />
      <QueryBoundary query={query} errorTitle={t`Error fetching incidents`}>
        {({ incidents, subscribers }) => (
          <>
            <p className={classes["note"]}>
              <Trans>Subscribed:</Trans>{" "}
              <Plural value={subscribers.mail} one="# e-mail address" other="# e-mail addresses" />,{" "}
              <Plural value={subscribers.webhook} one="# webhook" other="# webhooks" />
            </p>
            {[
              { title: t`Now and planned`, shown: incidents.filter(isOpen) },
              { title: t`Ended in the past 90 days`, shown: incidents.filter((e) => !isOpen(e)) },
            ].map(({ title, shown }) => (
              <Panel key={title} title={title} prominent>
                {shown.length === 0 ? (
                  <EmptyState
                    compact
                    icon={<IconHeartbeat size={22} stroke={1.6} />}
                    title={t`Nothing is published here`}
                    text={<Trans>Incidents and maintenances appear once staff publish them.</Trans>}
                  />
                ) : (
                  <ul className={classes["list"]}>
                    {shown.map((incident) => (
                      <li key={incident.id}>
                        <IncidentItem
                          incident={incident}
                          locations={locations}
                          onUpdate={() => ask({ action: "update", incident })}
                          onEdit={() => ask({ action: "edit", incident })}
                        />
                      </li>
                    ))}
                  </ul>
                )}
              </Panel>
            ))}
          </>
        )}
      </QueryBoundary>
      {asked?.action === "publish" ? (
        <PublishDialog kind={asked.kind} locations={locations} onClose={close} />
      ) : null}
      {asked?.action === "update" ? (
        <UpdateDialog incident={asked.incident} onClose={close} />
      ) : null}
      {asked?.action === "edit" ? (
        <EditDialog incident={asked.incident} locations={locations} onClose={close} />
      ) : null}
    </div>
  );
}

function isOpen({ ended_at }: StatusIncident): boolean {
  return ended_at === null;
}
