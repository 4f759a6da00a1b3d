import { useDebouncedValue } from "@mantine/hooks";
import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import { searchAll } from "@palisade/contract/http/staff-users";
import type { StaffSearchResult } from "@palisade/contract/http/staff-user-shapes";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import { call } from "#src/api/client.ts";
import { errorText } from "#src/api/errors.ts";
import { staffSections } from "#src/features/staff/sections.ts";
import { paths } from "#src/lib/paths.ts";
import palette from "../palette/palette.module.css";
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

function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

/** Finds accounts, shields, tickets and invoices of the whole installation. */
export function StaffSearch({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const [asked] = useDebouncedValue(typed.trim(), pauseMs);
  const dialog = useRef<HTMLDialogElement>(null);
  const listId = useId();
  const isAsked = asked.length >= charactersMin;
  const query = useQuery({
    queryKey: ["staff", "search", asked],
    queryFn: async ({ signal }) =>
      (await call(searchAll, { query: { q: asked }, signal })).data.results,
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const found = isAsked ? (query.data ?? []) : [];
  const current = Math.min(chosen, found.length - 1);

  // Close before unmounting: only then does the browser restore the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  function follow(result: StaffSearchResult | undefined) {
    if (result === undefined) return;
    onClose();
    const section = sectionOfKind[result.kind];
    const hasPage = staffSections.some(({ name }) => name === section);
    const isAccounts = !hasPage || section === "users";
    void navigate({
      to: paths.staffPage,
      params: isAccounts ? { section: "users", id: result.user_id } : { section, id: result.id },
      search: result.kind === "invoice" ? { tab: "money" } : {},
    });
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((current + step + found.length) % Math.max(1, found.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      follow(found[current]);
    }
  }

  return (
    <dialog
      ref={dialog}
      // Closes on a press outside, in browsers that support it.
      {...{ closedby: "any" }}
      className={palette["palette"]}
      aria-label={t`Search everything`}
      data-dialog-open
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div>
        <input
          className={palette["input"]}
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={found[current] ? `${listId} ${current}` : undefined}
          aria-label={t`Search everything`}
          placeholder={t`E-mail, id, domain, label, address, ticket or invoice number`}
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        <div className={palette["list"]} id={listId} role="listbox" aria-label={t`Results`}>
          {found.map((result, index) => (
            <div
              key={`${result.kind} ${result.id}`}
              id={`${listId} ${index}`}
              className={palette["option"]}
              role="option"
              ref={index === current ? scrollIntoView : undefined}
              aria-selected={index === current}
              tabIndex={-1}
              onMouseMove={() => setChosen(index)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => follow(result)}
              onKeyDown={onKeyDown}
            >
              <span className={classes["found"]}>
                <span className={classes["title"]}>{result.title}</span>
                <span className={classes["detail"]}>{result.detail}</span>
              </span>
              <span className={classes["kind"]}>{i18n._(kindLabels[result.kind])}</span>
            </div>
          ))}
        </div>
        <p className={`${palette["nothing"]} ${classes["status"]}`} role="status">
          {!isAsked ? (
            <Trans>Type at least two characters.</Trans>
          ) : query.isError ? (
            errorText(query.error, t`The search failed`)
          ) : found.length === 0 && !query.isFetching ? (
            <Trans>Nothing found</Trans>
          ) : null}
        </p>
      </div>
    </dialog>
  );
}
