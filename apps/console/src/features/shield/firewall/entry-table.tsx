import { TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { FirewallEntry } from "@palisade/contract/http/firewall";
import { IconListSearch, IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { Pager } from "#src/ui/pager.tsx";
import { Table } from "#src/ui/table.tsx";
import { useMayChange } from "../may-change.ts";
import { EntryEditor } from "./entry-editor.tsx";
import { matches } from "./entry-end.ts";
import { EntryRow } from "./entry-row.tsx";
import classes from "./firewall.module.css";
import type { useEntries } from "./use-entries.ts";

interface EntryTableProps {
  readonly entries: readonly FirewallEntry[];
  readonly label: string;
  readonly remove: ReturnType<typeof useEntries>["remove"];
  readonly change: ReturnType<typeof useEntries>["change"];
}

/** A list holds up to 10,000 entries, so it is paged. */
const rowsPerPage = 25;

export function EntryTable({ entries, label, remove, change }: EntryTableProps) {
  const { t } = useLingui();
  const mayChange = useMayChange();
  const [search, setSearch] = useState("");
  const [page, setPage] = useState(1);
  const [edited, setEdited] = useState<string | null>(null);
  /** The entry whose editor was closed last. */
  const [left, setLeft] = useState<string | null>(null);
  const found = entries.filter((entry) => matches(entry, search));
  const lastPage = Math.max(1, Math.ceil(found.length / rowsPerPage));
  const shown = Math.min(page, lastPage);
  const rows = found.slice((shown - 1) * rowsPerPage, shown * rowsPerPage);
  const isLong = entries.length > rowsPerPage;
  const columns = [
    { key: "entry", name: t`Entry` },
    { key: "note", name: t`Note` },
    { key: "end", name: t`Expires` },
    { key: "created", name: t`Created at` },
    { key: "actions", name: t`Actions`, right: true },
  ];

  function closeEditor() {
    setLeft(edited);
    setEdited(null);
  }

  return (
    <>
      {isLong || entries.some(({ note }) => note !== "") ? (
        <TextInput
          className={classes["search"]}
          aria-label={t`Search the list`}
          placeholder={t`Search entries and notes`}
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
          <Table dense label={label} columns={columns}>
            {rows.map((entry) =>
              entry.id === edited ? (
                <EntryEditor
                  key={entry.id}
                  entry={entry}
                  columns={columns.length}
                  change={change}
                  onClose={closeEditor}
                />
              ) : (
                <EntryRow
                  key={entry.id}
                  entry={entry}
                  busy={remove.isPending && entry.id === remove.variables.id}
                  onRemove={() => remove.mutate(entry)}
                  onEdit={() => setEdited(entry.id)}
                  takesFocus={entry.id === left}
                  onFocus={() => setLeft(null)}
                />
              ),
            )}
          </Table>
        </div>
      )}
      <Pager page={shown} lastPage={lastPage} onPage={setPage} />
    </>
  );
}
