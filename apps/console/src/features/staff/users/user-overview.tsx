import { Trans, useLingui } from "@lingui/react/macro";
import type { StaffUser } from "@palisade/contract/http/staff-user-shapes";
import type { ReactNode } from "react";
import { count, euros } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Panel } from "#src/ui/panel.tsx";
import { ShieldStatus } from "#src/ui/shield-status.tsx";
import { StatCard } from "#src/ui/stat-card.tsx";
import { Day, RelativeTime } from "#src/ui/time.tsx";
import classes from "./users.module.css";

export function UserOverview({ user }: { user: StaffUser }) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const bonus = euros(locale, user.bonus_cents);
  const total = count(locale, user.tickets.total);
  return (
    <>
      <div className={classes["stats"]}>
        <StatCard
          title={t`Balance`}
          value={euros(locale, user.balance_cents)}
          note={<Trans>{bonus} of it bonus</Trans>}
        />
        <StatCard
          title={t`Open tickets`}
          value={count(locale, user.tickets.open)}
          note={<Trans>{total} in all</Trans>}
        />
        <StatCard
          title={t`Support plan`}
          value={user.support_plan}
          note={<Trans>Decides how fast support answers</Trans>}
        />
      </div>
      <div className={classes["columns"]}>
        <Facts user={user} />
        <Sessions user={user} />
      </div>
      <Shields user={user} />
    </>
  );
}

function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Facts({ user }: { user: StaffUser }) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const passkeys = count(locale, user.passkeys);
  const languages = { en: t`English`, ru: t`Russian` };
  return (
    <Panel prominent title={<Trans>Profile</Trans>}>
      <dl className={classes["facts"]}>
        <Fact name={<Trans>Full name</Trans>}>{user.name ?? "–"}</Fact>
        <Fact name={<Trans>Username</Trans>}>{user.username ?? "–"}</Fact>
        <Fact name={<Trans>Company</Trans>}>{user.company_name ?? "–"}</Fact>
        <Fact name={<Trans>Country</Trans>}>{user.country ?? "–"}</Fact>
        <Fact name={<Trans>Language</Trans>}>{languages[user.locale]}</Fact>
        <Fact name={<Trans>Registered</Trans>}>
          <Day at={user.created_at} />
        </Fact>
        <Fact name={<Trans>First login</Trans>}>
          {user.first_login_at === null ? "–" : <Day at={user.first_login_at} />}
        </Fact>
        <Fact name={<Trans>Two-factor</Trans>}>
          {user.two_factor_enabled ? <Trans>On</Trans> : <Trans>Off</Trans>}
          {user.passkeys === 0 ? null : (
            <>
              {" · "}
              <Trans>Passkeys: {passkeys}</Trans>
            </>
          )}
        </Fact>
        <Fact name={<Trans>API keys</Trans>}>{count(locale, user.api_keys)}</Fact>
        {user.blocked_at === null ? null : (
          <Fact name={<Trans>Blocked</Trans>}>
            <RelativeTime at={user.blocked_at} />
          </Fact>
        )}
        {user.role === "staff" ? (
          <Fact name={<Trans>Staff roles</Trans>}>{user.staff_roles.join(", ")}</Fact>
        ) : null}
      </dl>
    </Panel>
  );
}

function Sessions({ user }: { user: StaffUser }) {
  const { t } = useLingui();
  return (
    <Panel prominent title={<Trans>Sessions</Trans>}>
      {user.sessions.length === 0 ? (
        <p className="dim">
          <Trans>Signed in nowhere.</Trans>
        </p>
      ) : (
        <ul className={classes["lines"]} aria-label={t`Sessions`}>
          {user.sessions.map((session) => (
            <li key={session.id}>
              <span>
                {session.device}
                <span className={`mono ${classes["sub"]}`}>{session.ip}</span>
              </span>
              <span className={classes["when"]}>
                <RelativeTime at={session.last_seen_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Shields({ user }: { user: StaffUser }) {
  const { t } = useLingui();
  return (
    <Panel prominent title={<Trans>Shields</Trans>}>
      {user.shields.length === 0 ? (
        <p className="dim">
          <Trans>The account has no shields.</Trans>
        </p>
      ) : (
        <ul className={classes["lines"]} aria-label={t`Shields`}>
          {user.shields.map((shield) => (
            <li key={shield.id}>
              <span>
                {shield.server_name}
                <span className={`mono ${classes["sub"]}`}>
                  {shield.domain ?? shield.cname_record}
                </span>
              </span>
              <span className={classes["plan"]}>
                {shield.role === "member" ? <Trans>Member</Trans> : shield.plan}
              </span>
              <ShieldStatus status={shield.status} underAttack={false} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
