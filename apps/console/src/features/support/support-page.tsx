import { useDocumentTitle } from "@mantine/hooks";
import { Trans, useLingui } from "@lingui/react/macro";
import { IconPlus } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { paths } from "#src/lib/paths.ts";
import { LinkButton } from "#src/ui/link-button.tsx";
import { PageHead } from "#src/ui/page-head.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { TicketFilters } from "./list/ticket-filters.tsx";
import { TicketList } from "./list/ticket-list.tsx";
import { NewTicket } from "./new-ticket/new-ticket.tsx";
import { SupportCenter } from "./support-center.tsx";
import type { SupportSearch } from "./support-search.ts";
import classes from "./support.module.css";

/** The user's tickets, or the form of a new one. */
export function SupportPage() {
  const { t } = useLingui();
  const search = useSearch({ from: "/dashboard/support" });
  const isNew = search.new !== undefined;
  useDocumentTitle(`${isNew ? t`New ticket` : t`Support`} · Palisade`);
  return isNew ? <NewTicket search={search} /> : <Tickets search={search} />;
}

function Tickets({ search }: { search: SupportSearch }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  // Changing a filter returns to the first page.
  const show = (change: Partial<SupportSearch>, replace = false) =>
    void navigate({
      from: paths.support,
      to: paths.support,
      search: (before) => ({ ...before, page: undefined, ...change }),
      replace,
    });
  return (
    <>
      <PageHead
        title={<Trans>Support</Trans>}
        aside={
          <LinkButton
            to={paths.support}
            search={{ new: "any" }}
            leftSection={<IconPlus size={16} stroke={1.8} />}
          >
            <Trans>New ticket</Trans>
          </LinkButton>
        }
      />
      <div className={classes["columns"]}>
        <Panel prominent title={t`My tickets`}>
          <TicketFilters search={search} onShow={show} />
          <TicketList search={search} onShow={show} />
        </Panel>
        <SupportCenter />
      </div>
    </>
  );
}
