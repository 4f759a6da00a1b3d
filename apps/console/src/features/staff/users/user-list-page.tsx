import { useDocumentTitle } from "@mantine/hooks";
import { Trans, useLingui } from "@lingui/react/macro";
import type { StaffUserItem } from "@palisade/contract/http/staff-user-shapes";
import { useQuery } from "@tanstack/react-query";
import { IconUserSearch } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { count, euros } from "#src/lib/format.ts";
import { paths } from "#src/lib/paths.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { FilterSearch } from "#src/ui/filter-search.tsx";
import { FilterSelect } from "#src/ui/filter-select.tsx";
import { NoData } from "#src/ui/no-data.tsx";
import { PagedList } from "#src/ui/paged-list.tsx";
import { PageHead } from "#src/ui/page-head.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { Status } from "#src/ui/status.tsx";
import { Day } from "#src/ui/time.tsx";
import { useStaffAddress } from "../use-staff-address.ts";
import { stateLabels, stateTones } from "./labels.ts";
import { WaitingOrders } from "./waiting-orders.tsx";
import { ordersQuery, usersQuery } from "./users.queries.ts";
import { userListSearch } from "./user-search.ts";
import classes from "./users.module.css";

const noFilters = { q: undefined, state: undefined };

export function UserListPage() {
  const { t } = useLingui();
  const { search, show } = useStaffAddress(userListSearch);
  const query = useQuery(usersQuery(search));
  const orders = useQuery(ordersQuery).data ?? [];
  const isFiltered = search.q !== undefined || search.state !== undefined;
  useDocumentTitle(`${t`Users`} · Palisade`);

  return (
    <div className={classes["page"]}>
      <PageHead title={<Trans>Users</Trans>} />
      {orders.length === 0 ? null : <WaitingOrders orders={orders} />}
      <Panel>
        <div className={classes["filters"]} role="group" aria-label={t`Filters`}>
          <FilterSearch
            label={t`E-mail, id, name or label`}
            value={search.q ?? ""}
            lengthMax={100}
            onChange={(q) => show({ q: q === "" ? undefined : q })}
          />
          <FilterSelect
            label={t`State`}
            all={t`Any state`}
            labels={stateLabels}
            value={search.state}
            onChoose={(state) => show({ state })}
          />
        </div>
        <PagedList
          query={query}
          asked={search.page}
          errorTitle={t`Error fetching users`}
          skeletonRows={8}
          onPage={(page, replace) => show({ page }, replace)}
          empty={
            <NoData
              icon={<IconUserSearch size={22} stroke={1.6} />}
              text={<Trans>Accounts are listed here once people register.</Trans>}
              filteredText={<Trans>No account matches.</Trans>}
              onClear={isFiltered ? () => show(noFilters) : undefined}
            />
          }
        >
          {(rows) => (
            <ul className={classes["list"]} aria-label={t`Users`}>
              {rows.map((row) => (
                <li key={row.id}>
                  <UserRow user={row} />
                </li>
              ))}
            </ul>
          )}
        </PagedList>
      </Panel>
    </div>
  );
}

function UserRow({ user }: { user: StaffUserItem }) {
  const { i18n } = useLingui();
  const { locale } = useLocale();
  const shields = user.shields;
  const shown = count(locale, shields);
  return (
    <Link
      to={paths.staffPage}
      params={{ section: "users", id: user.id }}
      className={classes["row"]}
    >
      <span className={classes["who"]}>
        <span className={classes["email"]}>{user.email}</span>
        <span className={classes["sub"]}>{user.name}</span>
      </span>
      <span className={classes["state"]}>
        {user.role === "staff" ? (
          <span className={classes["tag"]}>
            <Trans>Staff</Trans>
          </span>
        ) : null}
        <Status tone={stateTones[user.state]}>{i18n._(stateLabels[user.state])}</Status>
      </span>
      <span className={classes["shields"]}>
        <Trans>Shields: {shown}</Trans>
      </span>
      <span className={classes["money"]}>{euros(locale, user.balance_cents)}</span>
      <span className={classes["since"]}>
        <Day at={user.created_at} />
      </span>
    </Link>
  );
}
