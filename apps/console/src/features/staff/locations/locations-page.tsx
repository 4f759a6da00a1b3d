import { Button, Switch, TextInput } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  createLocation,
  editLocation,
  type StaffLocation,
} from "@palisade/contract/http/staff-locations";
import { IconMapPin, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { wholeNumber } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { PageHead } from "#src/ui/page-head.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import { Status } from "#src/ui/status.tsx";
import parts from "../parts/parts.module.css";
import { StaffFormDialog } from "../parts/staff-form-dialog.tsx";
import { StaffRows, type StaffColumn } from "../parts/staff-rows.tsx";
import { useMay } from "../parts/use-may.ts";
import { locationsQuery } from "./locations.queries.ts";

/** The places where players can enter. */
export function LocationsPage() {
  const { t } = useLingui();
  useDocumentTitle(`${t`Locations`} · Palisade`);
  const query = useQuery(locationsQuery);
  const [opened, setOpened] = useState<"add" | StaffLocation | null>(null);
  const may = useMay();
  const columns = useColumns(setOpened);
  const add = may(createLocation) ? (
    <Button leftSection={<IconPlus size={16} stroke={1.8} />} onClick={() => setOpened("add")}>
      <Trans>Add location</Trans>
    </Button>
  ) : undefined;
  return (
    <div className={parts["page"]}>
      <PageHead title={<Trans>Locations</Trans>} aside={add} />
      <Panel>
        <QueryBoundary query={query} errorTitle={t`The locations could not be loaded`}>
          {(locations) =>
            locations.length === 0 ? (
              <EmptyState
                icon={<IconMapPin size={22} stroke={1.6} />}
                title={t`No locations yet`}
                text={<Trans>Customers choose one once an edge is enrolled there.</Trans>}
                action={add}
              />
            ) : (
              <StaffRows
                label={t`Locations`}
                columns={columns}
                rows={locations}
                keyOf={({ name }) => name}
              />
            )
          }
        </QueryBoundary>
      </Panel>
      {opened === null ? null : (
        <LocationForm location={opened === "add" ? null : opened} onClose={() => setOpened(null)} />
      )}
    </div>
  );
}

function useColumns(
  onEdit: (location: StaffLocation) => void,
): readonly StaffColumn<StaffLocation>[] {
  const { t } = useLingui();
  const { locale } = useLocale();
  const may = useMay();
  return [
    {
      key: "location",
      name: t`Location`,
      bare: true,
      renderCell: ({ name, en, ru, flag_url: flag }) => (
        <>
          <span className={parts["main"]}>
            {flag === null ? null : <img className={parts["flag"]} src={flag} alt="" />}
            {en}
            {ru === null ? null : ` · ${ru}`}
          </span>
          <span className={`${parts["sub"]} mono`}>{name}</span>
        </>
      ),
    },
    {
      key: "state",
      name: t`State`,
      renderCell: ({ is_retired: isRetired, edges, edges_online: online }) =>
        isRetired ? (
          <Status tone="idle">
            <Trans>Retired</Trans>
          </Status>
        ) : edges === 0 ? (
          <Status tone="idle">
            <Trans>Without edges</Trans>
          </Status>
        ) : (
          <Status tone={online === 0 ? "danger" : "protected"}>
            {online === 0 ? <Trans>Offline</Trans> : <Trans>Open</Trans>}
          </Status>
        ),
    },
    {
      key: "edges",
      name: t`Edges online`,
      right: true,
      renderCell: ({ edges, edges_online: online }) =>
        `${wholeNumber(locale, online)} / ${wholeNumber(locale, edges)}`,
    },
    {
      key: "shields",
      name: t`Shields`,
      right: true,
      renderCell: ({ shields }) => wholeNumber(locale, shields),
    },
    {
      key: "actions",
      name: t`Actions`,
      right: true,
      bare: true,
      renderCell: (row) =>
        may(editLocation) ? (
          <span className={parts["buttons"]}>
            <Button
              size="xs"
              variant="default"
              aria-label={t`Edit ${row.en}`}
              onClick={() => onEdit(row)}
            >
              <Trans>Edit</Trans>
            </Button>
          </span>
        ) : null,
    },
  ];
}

interface LocationFormProps {
  /** Null: a new one. */
  readonly location: StaffLocation | null;
  readonly onClose: () => void;
}

function LocationForm({ location, onClose }: LocationFormProps) {
  const { t } = useLingui();
  const shown = location?.en ?? "";
  const shields = location?.shields ?? 0;
  const initial = {
    name: "",
    en: location?.en ?? "",
    ru: location?.ru ?? "",
    flag_url: location?.flag_url ?? "",
    position: String(location?.position ?? 10),
    is_retired: location?.is_retired ?? false,
  };
  const textOf = (typed: string) => (typed.trim() === "" ? null : typed);
  return (
    <StaffFormDialog
      title={location === null ? t`Add location` : t`Edit ${shown}`}
      action={location === null ? t`Add location` : t`Save`}
      schema={location === null ? createLocation.body : editLocation.body}
      initial={initial}
      toBody={({ ru, flag_url, position, ...values }) => ({
        ...values,
        ru: textOf(ru),
        flag_url: textOf(flag_url),
        position: Number(position),
      })}
      run={async ({ name, is_retired, ...body }) =>
        location === null
          ? (await call(createLocation, { body: { ...body, name } })).data.message
          : (
              await call(editLocation, {
                params: { location: location.name },
                body: { ...body, is_retired },
              })
            ).data.message
      }
      onClose={onClose}
    >
      {(field) => (
        <>
          {location === null ? (
            <TextInput
              label={t`Name in addresses`}
              description={t`Edges are invited with it, for example frankfurt`}
              maxLength={64}
              autoComplete="off"
              {...field("name")}
            />
          ) : null}
          <div className={parts["two"]}>
            <TextInput label={t`Name in English`} maxLength={60} {...field("en")} />
            <TextInput label={t`Name in Russian`} maxLength={60} {...field("ru")} />
            <TextInput
              label={t`Flag`}
              description={t`For example /flags/de.svg`}
              {...field("flag_url")}
            />
            <TextInput
              label={t`Place in lists`}
              description={t`Smaller numbers come first`}
              inputMode="numeric"
              {...field("position")}
            />
          </div>
          {location === null ? null : (
            <Switch
              label={t`Retired`}
              description={t`No new shields and edges. ${shields} shields stay there.`}
              {...field("is_retired", { type: "checkbox" })}
            />
          )}
        </>
      )}
    </StaffFormDialog>
  );
}
