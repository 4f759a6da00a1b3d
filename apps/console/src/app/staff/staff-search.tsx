import { useDebouncedValue } from "@mantine/hooks";
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { searchAll } from "@palisade/contract/http/staff-users";
import type { StaffSearchResult } from "@palisade/contract/http/staff-user-shapes";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { errorText } from "#src/api/errors.ts";
import { staffSections } from "#src/features/staff/sections.ts";
import { paths } from "#src/lib/paths.ts";
import { SearchDialog } from "#src/ui/search-dialog.tsx";
import classes from "./staff-search.module.css";

const pauseMs = 180;
const charactersMin = 2;

const kindLabels = {
  user: msg`User`,
  shield: msg`Shield`,
  ticket: msg`Ticket`,
  invoice: msg`Invoice`,
};

/** The section that shows a kind; without one, the page of the account shows it. */
const sectionOfKind = { user: "users", shield: "shields", ticket: "tickets", invoice: "users" };

/** Finds accounts, shields, tickets and invoices of the whole installation. */
export function StaffSearch({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const [asked] = useDebouncedValue(typed.trim(), pauseMs);
  const isAsked = asked.length >= charactersMin;
  const query = useQuery({
    queryKey: ["staff", "search", asked],
    queryFn: async ({ signal }) =>
      (await call(searchAll, { query: { q: asked }, signal })).data.results,
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const found = isAsked ? (query.data ?? []) : [];

  function follow(result: StaffSearchResult) {
    const section = sectionOfKind[result.kind];
    const hasPage = staffSections.some(({ name }) => name === section);
    const isAccounts = !hasPage || section === "users";
    void navigate({
      to: paths.staffPage,
      params: isAccounts ? { section: "users", id: result.user_id } : { section, id: result.id },
      search: result.kind === "invoice" ? { tab: "money" } : {},
    });
  }

  return (
    <SearchDialog
      label={t`Search everything`}
      placeholder={t`E-mail, id, domain, label, address, ticket or invoice number`}
      maxLength={100}
      typed={typed}
      onType={setTyped}
      found={found.map((result) => ({
        key: `${result.kind} ${result.id}`,
        content: (
          <>
            <span className={classes["found"]}>
              <span className={classes["title"]}>{result.title}</span>
              <span className={classes["detail"]}>{result.detail}</span>
            </span>
            <span className={classes["kind"]}>{i18n._(kindLabels[result.kind])}</span>
          </>
        ),
        follow: () => follow(result),
      }))}
      onClose={onClose}
    >
      <p className={classes["status"]} role="status">
        {!isAsked ? (
          <Trans>Type at least two characters.</Trans>
        ) : query.isError ? (
          errorText(query.error, t`The search failed`)
        ) : found.length === 0 && !query.isFetching ? (
          <Trans>Nothing found</Trans>
        ) : null}
      </p>
    </SearchDialog>
  );
}
