import { Trans, useLingui } from "@lingui/react/macro";
import type { StaffShieldDetails } from "@palisade/contract/http/staff-shields";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { euros, wholeNumber } from "#src/lib/format.ts";
import { paths } from "#src/lib/paths.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { ShieldStatus } from "#src/ui/shield-status.tsx";
import { Status } from "#src/ui/status.tsx";
import { Day } from "#src/ui/time.tsx";
import parts from "../parts/parts.module.css";

export function AboutPanel({ shield }: { shield: StaffShieldDetails }) {
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

export function PlanPanel({ shield }: { shield: StaffShieldDetails }) {
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

export function NamesPanel({ shield }: { shield: StaffShieldDetails }) {
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
          <Line key={`${group} ${host} ${port}`} name={addressOf(host, port)}>
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

function addressOf(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="mono">{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

export function EdgesPanel({ shield }: { shield: StaffShieldDetails }) {
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
