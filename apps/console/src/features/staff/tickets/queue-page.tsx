import { useDocumentTitle } from "@mantine/hooks";
import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { ticketViews, type StaffTicket } from "@palisade/contract/http/staff-ticket-shapes";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { IconInbox, IconKeyboard, IconMessage2Bolt, IconMoodSmile } from "@tabler/icons-react";
import { useState } from "react";
import { useCurrentUser } from "#src/api/current-user.ts";
import { count } from "#src/lib/format.ts";
import { paths } from "#src/lib/paths.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { FilterSearch } from "#src/ui/filter-search.tsx";
import { FilterSelect } from "#src/ui/filter-select.tsx";
import { IconButton } from "#src/ui/icon-button.tsx";
import { NoData } from "#src/ui/no-data.tsx";
import { PagedList } from "#src/ui/paged-list.tsx";
import { PageHead } from "#src/ui/page-head.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { categoryLabels, severityLabels } from "#src/ui/ticket-labels.ts";
import { toastError } from "#src/ui/toast-error.ts";
import { toast } from "#src/ui/toasts.tsx";
import { useStaffAddress } from "../use-staff-address.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { CannedRepliesDialog } from "./canned-replies-dialog.tsx";
import { viewLabels } from "./labels.ts";
import { QueueRow } from "./queue-row.tsx";
import { ShortcutsDialog } from "./shortcuts-dialog.tsx";
import { queueSearch } from "./ticket-search.ts";
import { changeTicket, defaultView, queueQuery } from "./tickets.queries.ts";
import { useKeys } from "./use-keys.ts";
import classes from "./tickets.module.css";

const noFilters = { q: undefined, category: undefined, severity: undefined, tag: undefined };

export function QueuePage() {
  const { t, i18n } = useLingui();
  const { locale } = useLocale();
  const { search, show } = useStaffAddress(queueSearch);
  const navigate = useNavigate();
  const me = useCurrentUser()?.id ?? null;
  const query = useQuery(queueQuery(search));
  const [current, setCurrent] = useState(0);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [dialog, setDialog] = useState<"keys" | "canned" | null>(null);
  useDocumentTitle(`${t`Tickets`} · Palisade`);

  const { view = defaultView, q, category, severity, tag } = search;
  const rows = query.data?.data ?? [];
  const index = Math.min(current, rows.length - 1);
  const isFiltered = [q, category, severity, tag].some((filter) => filter !== undefined);
  const ids = rows.flatMap(({ id }) => (chosen.has(id) ? [id] : []));
  const tags = query.data?.tags ?? [];
  const tagLabels = Object.fromEntries(
    [...tags, ...(tag === undefined || tags.includes(tag) ? [] : [tag])].map((each) => [
      each,
      each,
    ]),
  );

  const choose = ({ id }: StaffTicket, isChosen: boolean) =>
    setChosen(
      (before) => new Set([...before].filter((each) => each !== id).concat(isChosen ? id : [])),
    );
  const open = (write?: "reply" | "note") => {
    const ticket = rows[index];
    if (ticket === undefined) return;
    const params = { section: "tickets", id: ticket.id };
    void navigate({ to: paths.staffPage, params, search: { write } });
  };
  useKeys({
    KeyJ: () => setCurrent(Math.max(0, Math.min(index + 1, rows.length - 1))),
    KeyK: () => setCurrent(Math.max(0, index - 1)),
    Enter: () => open(),
    KeyR: () => open("reply"),
    KeyN: () => open("note"),
    KeyX: () => {
      const ticket = rows[index];
      if (ticket !== undefined) choose(ticket, !chosen.has(ticket.id));
    },
    KeyA: () => {
      const ticket = rows[index];
      if (ticket === undefined || me === null) return;
      changeTicket(ticket.id, { assignee_id: me }).then(
        (message) => toast("success", message),
        (error: unknown) => toastError(error, t`The ticket could not be assigned`),
      );
    },
    "?": () => setDialog("keys"),
  });

  const [satisfaction] = query.data?.satisfaction ?? [];
  const average = satisfaction?.average.toFixed(1);
  const answers = satisfaction?.answers;
  return (
    <div className={classes["page"]}>
      <PageHead
        title={<Trans>Tickets</Trans>}
        aside={
          <span className={classes["headTools"]}>
            {satisfaction === undefined ? null : (
              <span className={classes["satisfaction"]} title={satisfaction.month}>
                <IconMoodSmile size={16} stroke={1.6} aria-hidden="true" />
                <Trans>
                  {average} of 5, {answers} answers
                </Trans>
              </span>
            )}
            <Button
              variant="default"
              size="xs"
              leftSection={<IconMessage2Bolt size={15} stroke={1.6} />}
              onClick={() => setDialog("canned")}
            >
              <Trans>Canned replies</Trans>
            </Button>
            <IconButton
              hint={t`Shortcuts`}
              label={t`Keyboard shortcuts`}
              icon={<IconKeyboard size={16} stroke={1.6} />}
              onClick={() => setDialog("keys")}
            />
          </span>
        }
      />
      <div className={classes["columns"]}>
        <nav className={classes["views"]} aria-label={t`Views of the queue`}>
          {ticketViews.map((name) => (
            <button
              key={name}
              type="button"
              aria-current={name === view ? "true" : undefined}
              data-alarm={
                (name === "overdue" && (query.data?.counts.overdue ?? 0) > 0) || undefined
              }
              onClick={() => {
                setChosen(new Set());
                setCurrent(0);
                show({ view: name });
              }}
            >
              <span>{i18n._(viewLabels[name])}</span>
              <span className={classes["count"]}>
                {query.data === undefined ? "" : count(locale, query.data.counts[name])}
              </span>
            </button>
          ))}
        </nav>
        <Panel>
          <div className={classes["filters"]} role="group" aria-label={t`Filters`}>
            <FilterSearch
              label={t`Number, subject or e-mail`}
              value={q ?? ""}
              lengthMax={100}
              onChange={(typed) => show({ q: typed === "" ? undefined : typed })}
            />
            <FilterSelect
              label={t`Category`}
              all={t`Any category`}
              labels={categoryLabels}
              value={category}
              onChoose={(value) => show({ category: value })}
            />
            <FilterSelect
              label={t`Severity`}
              all={t`Any severity`}
              labels={severityLabels}
              value={severity}
              onChoose={(value) => show({ severity: value })}
            />
            {Object.keys(tagLabels).length === 0 ? null : (
              <FilterSelect
                label={t`Tag`}
                all={t`Any tag`}
                labels={tagLabels}
                value={tag}
                onChoose={(value) => show({ tag: value })}
              />
            )}
          </div>
          {ids.length === 0 ? null : (
            <BulkBar
              ids={ids}
              colleagues={query.data?.colleagues ?? []}
              onDone={() => setChosen(new Set())}
            />
          )}
          <PagedList
            query={query}
            asked={search.page}
            errorTitle={t`Error fetching tickets`}
            skeletonRows={8}
            onPage={(page, replace) => show({ page }, replace)}
            empty={
              <NoData
                icon={<IconInbox size={22} stroke={1.6} />}
                text={<Trans>No ticket is in this view.</Trans>}
                filteredText={<Trans>No ticket of this view matches.</Trans>}
                onClear={isFiltered ? () => show(noFilters) : undefined}
              />
            }
          >
            {(shown) => (
              <ul className={classes["list"]} aria-label={i18n._(viewLabels[view])}>
                {shown.map((ticket, at) => (
                  <QueueRow
                    key={ticket.id}
                    ticket={ticket}
                    isCurrent={at === index}
                    isChosen={chosen.has(ticket.id)}
                    onChoose={(isChosen) => choose(ticket, isChosen)}
                  />
                ))}
              </ul>
            )}
          </PagedList>
        </Panel>
      </div>
      {dialog === "keys" ? <ShortcutsDialog onClose={() => setDialog(null)} /> : null}
      {dialog === "canned" ? <CannedRepliesDialog onClose={() => setDialog(null)} /> : null}
    </div>
  );
}
