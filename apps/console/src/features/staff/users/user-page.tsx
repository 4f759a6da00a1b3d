import { useDocumentTitle } from "@mantine/hooks";
import { Trans, useLingui } from "@lingui/react/macro";
import type { StaffUser } from "@palisade/contract/http/staff-user-shapes";
import { IconArrowLeft } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { statusOf } from "#src/api/errors.ts";
import { paths } from "#src/lib/paths.ts";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { NotFoundInShell } from "#src/ui/error-pages.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import { Status } from "#src/ui/status.tsx";
import { TabLinks } from "#src/ui/tab-links.tsx";
import { useStaffAddress } from "../use-staff-address.ts";
import { useStaffRole } from "../use-staff-role.ts";
import { stateLabels, stateTones } from "./labels.ts";
import { UserActions } from "./user-actions.tsx";
import { UserAudit, UserLedger, UserRecord } from "./user-lists.tsx";
import { UserOverview } from "./user-overview.tsx";
import { userSearch, type UserTab } from "./user-search.ts";
import { userQuery } from "./users.queries.ts";
import { WaitingOrders } from "./waiting-orders.tsx";
import classes from "./users.module.css";

export function UserPage({ userId }: { userId: string }) {
  const { t } = useLingui();
  const query = useQuery(userQuery(userId));
  const status = statusOf(query.error);
  if (status === 404 || status === 422) return <NotFoundInShell />;
  return (
    <div className={classes["page"]}>
      <Link
        to={paths.staffPage}
        params={{ section: "users", id: undefined }}
        className={classes["back"]}
      >
        <IconArrowLeft size={15} stroke={1.6} aria-hidden="true" />
        <Trans>All users</Trans>
      </Link>
      <QueryBoundary query={query} errorTitle={t`Error fetching the user`}>
        {(user) => <LoadedUser user={user} />}
      </QueryBoundary>
    </div>
  );
}

function LoadedUser({ user }: { user: StaffUser }) {
  const { t, i18n } = useLingui();
  const { search, show } = useStaffAddress(userSearch);
  const isSupport = useStaffRole("support");
  useDocumentTitle(`${user.email} · Palisade`);
  const tabs: { name: UserTab; label: string }[] = [
    { name: "overview", label: t`Overview` },
    { name: "money", label: t`Money` },
    ...(isSupport ? [{ name: "audit" as const, label: t`Audit log` }] : []),
    { name: "record", label: t`Staff record` },
  ];
  const tab = tabs.find(({ name }) => name === search.tab)?.name ?? "overview";
  const list = {
    userId: user.id,
    page: search.page,
    onPage: (page: number | undefined, replace?: boolean) => show({ page }, replace),
  };
  return (
    <>
      <header className={classes["head"]}>
        <div className={classes["title"]}>
          <h1>{user.email}</h1>
          <CopyButton value={user.id} label={t`Copy the id`} />
          <Status tone={stateTones[user.state]}>{i18n._(stateLabels[user.state])}</Status>
        </div>
        <UserActions user={user} />
      </header>
      {user.orders.length === 0 ? null : <WaitingOrders orders={user.orders} />}
      <TabLinks
        label={t`Parts of the account`}
        current={tab}
        tabs={tabs}
        ownParameters={["page"]}
      />
      {tab === "overview" ? <UserOverview user={user} /> : null}
      {tab === "money" ? <UserLedger {...list} /> : null}
      {tab === "audit" ? <UserAudit {...list} /> : null}
      {tab === "record" ? <UserRecord {...list} /> : null}
    </>
  );
}
