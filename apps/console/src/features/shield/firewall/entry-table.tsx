import { TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Firewall } from "@palisade/contract/http/firewall";
import { IconListSearch, IconSearch, IconUser } from "@tabler/icons-react";
import { useState } from "react";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { Pager } from "#src/ui/pager.tsx";
import { RemoveButton } from "#src/ui/remove-button.tsx";
import { Table } from "#src/ui/table.tsx";
import { RelativeTime } from "#src/ui/time.tsx";
import { useMayChange } from "../may-change.ts";
import classes from "./firewall.module.css";

type Entry = Firewall["blacklist_ips"][number];

interface EntryTableProps {
  readonly entries: readonly Entry[];
  readonly label: string;
  /** Id of the entry being removed. */
  readonly removing: string | null;
  readonly onRemove: (entry: Entry) => void;
}

/** A list holds up to 10,000 entries, so it is paged. */
const rowsPerPage = 25;

export function EntryTable({ entries, label, removing, onRemove }: EntryTableProps) {
  const { t } = useLingui();
  const mayChange = useMayChange();
  const [search, setSearch] = useState("");
  const [page, setPage] = useState(1);
  const found = entries.filter(({ ip }) => ip.toLowerCase().includes(search.trim().toLowerCase()));
  const lastPage = Math.max(1, Math.ceil(found.length / rowsPerPage));
  const shown = Math.min(page, lastPage);
  const rows = found.slice((shown - 1) * rowsPerPage, shown * rowsPerPage);

  return (
    <>
      {entries.length > rowsPerPage ? (
        <TextInput
          className={classes["search"]}
          aria-label={t`Search the list`}
          placeholder={t`Search the list`}
          leftSection={<IconSearch size={15} stroke={1.6} />}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      ) : null}
      {rows.length === 0 ? (
        <EmptyState
          compact
          icon={<IconListSearch size={22} stroke={1.6} />}
          title={t`No entries found`}
          text={mayChange ? <Trans>Add an address, a range or a player's name above.</Trans> : null}
        />
      ) : (
        <div className={classes["entries"]}>
          <Table
            dense
            label={label}
            columns={[
              { key: "entry", name: t`Entry` },
              { key: "created", name: t`Created at` },
              { key: "actions", name: t`Actions`, right: true },
            ]}
          >
            {rows.map((entry) => (
              <Row
                key={entry.id}
                entry={entry}
                busy={entry.id === removing}
                onRemove={() => onRemove(entry)}
              />
            ))}
          </Table>
        </div>
      )}
      <Pager page={shown} lastPage={lastPage} onPage={setPage} />
    </>
  );
}

function Row({ entry, busy, onRemove }: { entry: Entry; busy: boolean; onRemove: () => void }) {
  const { t } = useLingui();
  const mayChange = useMayChange();
  const ip = entry.ip;
  return (
    <tr>
      <td className="mono">
        {entry.kind === "name" ? (
          <span className={classes["player"]}>
            <IconUser size={15} stroke={1.6} aria-label={t`Player`} role="img" />
            {ip}
          </span>
        ) : (
          ip
        )}
      </td>
      <td className="dim">
        <RelativeTime at={entry.created_at} />
      </td>
      <td data-right>
        <CopyButton value={ip} label={t`Copy ${ip}`} />
        {mayChange ? (
          <RemoveButton size={26} label={t`Delete ${ip}`} loading={busy} onClick={onRemove} />
        ) : null}
      </td>
    </tr>
  );
}
