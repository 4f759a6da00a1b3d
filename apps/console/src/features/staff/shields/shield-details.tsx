import { Button } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  blockShield,
  setShieldPlan,
  unblockShield,
  type StaffShieldDetails,
} from "@palisade/contract/http/staff-shields";
import { IconLock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { statusOf } from "#src/api/errors.ts";
import { euros, wholeNumber } from "#src/lib/format.ts";
import { paths } from "#src/lib/paths.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Banner } from "#src/ui/banner.tsx";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { NotFoundInShell } from "#src/ui/error-pages.tsx";
import { PageHead } from "#src/ui/page-head.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import { ShieldStatus } from "#src/ui/shield-status.tsx";
import { Status } from "#src/ui/status.tsx";
import { Day } from "#src/ui/time.tsx";
import parts from "../parts/parts.module.css";
import { useMay } from "../parts/use-may.ts";
import { BlockDialog, PlanDialog, UnblockDialog } from "./shield-dialogs.tsx";
import { ShieldRecord } from "./shield-record.tsx";
import { shieldQuery } from "./shields.queries.ts";

type Dialog = "block" | "unblock" | "plan";

export function ShieldDetails({ id }: { id: string }) {
  const { t } = useLingui();
  const query = useQuery(shieldQuery(id));
  useDocumentTitle(`${query.data?.server_name ?? t`Shields`} · Palisade`);
  const status = statusOf(query.error);
  // Not an id, or no shield's.
  if (status === 404 || status === 422) return <NotFoundInShell />;
  return (
    <div className={parts["page"]}>
      <QueryBoundary query={query} errorTitle={t`The shield could not be loaded`}>
        {(shield) => <Details shield={shield} />}
      </QueryBoundary>
    </div>
  );
}

function Details({ shield }: { shield: StaffShieldDetails }) {
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const may = useMay();
  const isBlocked = shield.status === "blocked";
  const isThere = shield.status !== "deleted";
  const close = () => setDialog(null);
  return (
    <>
      <PageHead
        title={shield.server_name}
        aside={
          isThere ? (
            <span className={parts["buttons"]}>
              {may(setShieldPlan) ? (
                <Button variant="default" onClick={() => setDialog("plan")}>
                  <Trans>Change plan</Trans>
                </Button>
              ) : null}
              {may(isBlocked ? unblockShield : blockShield) ? (
                <Button
                  variant="default"
                  onClick={() => setDialog(isBlocked ? "unblock" : "block")}
                >
                  {isBlocked ? <Trans>Unblock</Trans> : <Trans>Block</Trans>}
                </Button>
              ) : null}
            </span>
          ) : undefined
        }
      />
      {isBlocked ? (
        <Banner tone="danger" icon={<IconLock size={18} stroke={1.6} />}>
          <strong>
            <Trans>This shield is blocked</Trans>
          </strong>
          <p>{shield.blocked_reason ?? <Trans>No reason was given.</Trans>}</p>
        </Banner>
      ) : null}
      <div className={parts["columns"]}>
        <AboutPanel shield={shield} />
        <PlanPanel shield={shield} />
        <NamesPanel shield={shield} />
        <EdgesPanel shield={shield} />
      </div>
      <ShieldRecord shield={shield} />
      {dialog === "block" ? <BlockDialog shield={shield} onClose={close} /> : null}
      {dialog === "unblock" ? <UnblockDialog shield={shield} onClose={close} /> : null}
      {dialog === "plan" ? <PlanDialog shield={shield} onClose={close} /> : null}
    </>
  );
}

function AboutPanel({ shield }: { shield: StaffShieldDetails }) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const { owner, members, cname_record: label } = shield;
  return (
    <Panel title={<Trans>About</Trans>} prominent>
      <dl className={parts["facts"]}>
        <dt>
          <Trans>Status</Trans>
        </dt>
        <dd>
          <ShieldStatus
            status={shield.status}
            underAttack={false}
            isUsedUp={shield.traffic_used_up}
          />
        </dd>
        <dt>
          <Trans>Owner</Trans>
        </dt>
        <dd>
          <Link
            className={parts["main"]}
            to={paths.staffPage}
            params={{ section: "users", id: owner.id }}
          >
            {owner.email}
          </Link>
        </dd>
        <dt>
          <Trans>Sub-users</Trans>
        </dt>
        <dd>{members.length === 0 ? "–" : members.map(({ email }) => email).join(", ")}</dd>
        <dt>
          <Trans>CNAME target</Trans>
        </dt>
        <dd className="mono">
          {label}
          <CopyButton value={label} label={t`Copy the CNAME target`} />
        </dd>
        <dt>
          <Trans>Location</Trans>
        </dt>
        <dd>{shield.location}</dd>
        <dt>
          <Trans>Players</Trans>
        </dt>
        <dd>{wholeNumber(locale, shield.players)}</dd>
        <dt>
          <Trans>Created</Trans>
        </dt>
        <dd>
          <Day at={shield.created_at} />
        </dd>
        {shield.deleted_at === null ? null : (
          <>
            <dt>
              <Trans>Deleted</Trans>
            </dt>
            <dd>
              <Day at={shield.deleted_at} />
            </dd>
          </>
        )}
      </dl>
    </Panel>
  );
}

function PlanPanel({ shield }: { shield: StaffShieldDetails }) {
  const { locale } = useLocale();
  const { subscription, plan } = shield;
  const price = euros(locale, subscription?.price_cents ?? 0);
  return (
    <Panel title={<Trans>Plan</Trans>} prominent>
      <dl className={parts["facts"]}>
        <dt>
          <Trans>Plan</Trans>
        </dt>
        <dd>{plan.name}</dd>
        <dt>
          <Trans>Price</Trans>
        </dt>
        <dd>
          <Trans>{price} a month</Trans>
        </dd>
        {subscription === null ? null : (
          <>
            <dt>
              <Trans>Paid until</Trans>
            </dt>
            <dd>
              <Day at={subscription.period_ends_at} />
            </dd>
            <dt>
              <Trans>Renewal</Trans>
            </dt>
            <dd>
              {subscription.automatic_renewal ? <Trans>Automatic</Trans> : <Trans>Off</Trans>}
            </dd>
            {subscription.planned_plan === null ? null : (
              <>
                <dt>
                  <Trans>Next plan</Trans>
                </dt>
                <dd>{subscription.planned_plan}</dd>
              </>
            )}
          </>
        )}
      </dl>
    </Panel>
  );
}

function NamesPanel({ shield }: { shield: StaffShieldDetails }) {
  return (
    <Panel title={<Trans>Domains and backends</Trans>} prominent>
      <dl className={parts["facts"]}>
        {shield.domains.map(({ name, verified_at: verifiedAt }) => (
          <Line key={name} name={name}>
            {verifiedAt === null ? (
              <Status tone="idle">
                <Trans>Not proven</Trans>
              </Status>
            ) : (
              <Status tone="protected">
                <Trans>Proven</Trans>
              </Status>
            )}
          </Line>
        ))}
        {shield.backends.map(({ group, host, port, is_up: isUp }) => (
          <Line key={`${group} ${host} ${port}`} name={`${host}:${port}`}>
            <Status tone={isUp === null ? "idle" : isUp ? "protected" : "danger"}>
              {isUp === null ? (
                <Trans>Unknown</Trans>
              ) : isUp ? (
                <Trans>Up</Trans>
              ) : (
                <Trans>Down</Trans>
              )}
            </Status>{" "}
            {group}
          </Line>
        ))}
      </dl>
    </Panel>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="mono">{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function EdgesPanel({ shield }: { shield: StaffShieldDetails }) {
  const { locale } = useLocale();
  const revision = wholeNumber(locale, shield.revision);
  return (
    <Panel
      title={<Trans>Edges</Trans>}
      prominent
      note={<Trans>Newest configuration: revision {revision}.</Trans>}
    >
      {shield.edges.length === 0 ? (
        <p className={parts["sub"]}>
          <Trans>No edge that is online has to know this shield.</Trans>
        </p>
      ) : (
        <dl className={parts["facts"]}>
          {shield.edges.map((edge) => {
            const isRejected = (edge.rejected_revision ?? 0) >= shield.revision;
            const isApplied = (edge.applied_revision ?? 0) >= shield.revision;
            return (
              <Line key={edge.name} name={edge.name}>
                {isRejected ? (
                  <Status tone="danger">
                    <Trans>Rejected</Trans>
                  </Status>
                ) : isApplied ? (
                  <Status tone="protected">
                    <Trans>Applied</Trans>
                  </Status>
                ) : (
                  <Status tone="attack">
                    <Trans>Waiting</Trans>
                  </Status>
                )}
                {isRejected && edge.reason !== null ? (
                  <span className={parts["sub"]}>{edge.reason}</span>
                ) : null}
              </Line>
            );
          })}
        </dl>
      )}
    </Panel>
  );
}
