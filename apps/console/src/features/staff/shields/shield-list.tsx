import { useDocumentTitle } from "@mantine/hooks";
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import type { StaffShield } from "@palisade/contract/http/staff-shields";
import { IconShieldSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { wholeNumber } from "#src/lib/format.ts";
import { paths } from "#src/lib/paths.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { FilterSearch } from "#src/ui/filter-search.tsx";
import { FilterSelect } from "#src/ui/filter-select.tsx";
import { NoData } from "#src/ui/no-data.tsx";
import { PageHead } from "#src/ui/page-head.tsx";
import { PagedList } from "#src/ui/paged-list.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { ShieldStatus } from "#src/ui/shield-status.tsx";
import { Day } from "#src/ui/time.tsx";
import parts from "../parts/parts.module.css";
import { StaffRows, type StaffColumn } from "../parts/staff-rows.tsx";
import { useStaffAddress } from "../use-staff-address.ts";
import { shieldListQuery, shieldListSearch } from "./shields.queries.ts";

const statusLabels = {
  active: msg`Active`,
  expired: msg`Expired`,
  blocked: msg`Blocked`,
  deleted: msg`Deleted`,
};
const noFilters = { q: undefined, status: undefined, owner_id: undefined };

export function ShieldList() {
  const { t } = useLingui();
  useDocumentTitle(`${t`Shields`} · Palisade`);
  const { search, show } = useStaffAddress(shieldListSearch);
  const query = useQuery(shieldListQuery(search));
  const columns = useColumns();
  const isFiltered = [search.q, search.status, search.owner_id].some(Boolean);
  return (
    <div className={parts["page"]}>
      <PageHead title={<Trans>Shields</Trans>} />
      <Panel>
        <div className={parts["filters"]} role="group" aria-label={t`Filters`}>
          <FilterSearch
            label={t`Domain, CNAME target, address, name or e-mail`}
            value={search.q ?? ""}
            lengthMax={254}
            onChange={(q) => show({ q: q === "" ? undefined : q })}
          />
          <FilterSelect
            label={t`Status`}
            all={t`All statuses`}
            labels={statusLabels}
            value={search.status}
            onChoose={(status) => show({ status })}
          />
        </div>
        <PagedList
          query={query}
          asked={search.page}
          errorTitle={t`The shields could not be loaded`}
          skeletonRows={8}
          onPage={(page, replace) => show({ page }, replace)}
          empty={
            <NoData
              icon={<IconShieldSearch size={22} stroke={1.6} />}
              text={<Trans>Shields of customers are listed here, the newest first.</Trans>}
              filteredText={<Trans>No shield matches.</Trans>}
              onClear={isFiltered ? () => show(noFilters) : undefined}
            />
          }
        >
          {(rows) => (
            <StaffRows label={t`Shields`} columns={columns} rows={rows} keyOf={({ id }) => id} />
          )}
        </PagedList>
      </Panel>
    </div>
  );
}

function useColumns(): readonly StaffColumn<StaffShield>[] {
  const { t } = useLingui();
  const { locale } = useLocale();
  return [
    {
      key: "shield",
      name: t`Shield`,
      bare: true,
      renderCell: ({ id, server_name, cname_record }) => (
        <>
          <Link className={parts["main"]} to={paths.staffPage} params={{ section: "shields", id }}>
            {server_name}
          </Link>
          <span className={`${parts["sub"]} mono`}>{cname_record}</span>
        </>
      ),
    },
    {
      key: "status",
      name: t`Status`,
      renderCell: ({ status }) => <ShieldStatus status={status} underAttack={false} />,
    },
    { key: "owner", name: t`Owner`, renderCell: ({ owner }) => owner.email },
    { key: "plan", name: t`Plan`, renderCell: ({ plan }) => plan.name },
    { key: "location", name: t`Location`, renderCell: ({ location }) => location },
    {
      key: "players",
      name: t`Players`,
      right: true,
      renderCell: ({ players }) => wholeNumber(locale, players),
    },
    {
      key: "created",
      name: t`Created`,
      right: true,
      renderCell: (row) => <Day at={row.created_at} />,
    },
  ];
}
