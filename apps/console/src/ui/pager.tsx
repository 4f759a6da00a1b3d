import { ActionIcon } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  IconChevronLeft,
  IconChevronRight,
  IconChevronsLeft,
  IconChevronsRight,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useDraftValue } from "#src/lib/use-draft-value.ts";
import classes from "./pager.module.css";

interface PagerProps {
  readonly page: number;
  readonly lastPage: number;
  readonly onPage: (page: number) => void;
}

/** First, previous, page number, next and last. Empty for a single page. */
export function Pager({ page, lastPage, onPage }: PagerProps) {
  const { t } = useLingui();
  if (lastPage <= 1) return null;
  return (
    <nav className={classes["pager"]} aria-label={t`Pages`}>
      <Step label={t`First page`} to={1} {...{ page, lastPage, onPage }}>
        <IconChevronsLeft size={16} stroke={1.6} />
      </Step>
      <Step label={t`Previous page`} to={page - 1} {...{ page, lastPage, onPage }}>
        <IconChevronLeft size={16} stroke={1.6} />
      </Step>
      <PageNumber {...{ page, lastPage, onPage }} />
      <span>
        <Trans>of {lastPage}</Trans>
      </span>
      <Step label={t`Next page`} to={page + 1} {...{ page, lastPage, onPage }}>
        <IconChevronRight size={16} stroke={1.6} />
      </Step>
      <Step label={t`Last page`} to={lastPage} {...{ page, lastPage, onPage }}>
        <IconChevronsRight size={16} stroke={1.6} />
      </Step>
    </nav>
  );
}

function PageNumber({ page, lastPage, onPage }: PagerProps) {
  const { t } = useLingui();
  const [typed, type] = useDraftValue(String(page));

  function commit() {
    const wanted = Math.min(lastPage, Math.max(1, Number(typed) || 1));
    type(String(wanted));
    if (wanted !== page) onPage(wanted);
  }

  return (
    <input
      className={classes["number"]}
      inputMode="numeric"
      aria-label={t`Page number`}
      value={typed}
      onChange={({ currentTarget }) => type(currentTarget.value.replace(/\D/g, ""))}
      onBlur={commit}
      onKeyDown={({ key }) => key === "Enter" && commit()}
    />
  );
}

function Step(props: PagerProps & { label: string; to: number; children: ReactNode }) {
  const { page, lastPage, to } = props;
  const leadsNowhere = to < 1 || to > lastPage || to === page;
  return (
    <ActionIcon
      variant="default"
      size={30}
      aria-label={props.label}
      // Not `disabled`: keyboard users would lose the focus on the first and last page.
      aria-disabled={leadsNowhere}
      data-disabled={leadsNowhere}
      onClick={() => leadsNowhere || props.onPage(to)}
    >
      {props.children}
    </ActionIcon>
  );
}
