import { ActionIcon } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import {
  IconChevronLeft,
  IconChevronRight,
  IconChevronsLeft,
  IconChevronsRight,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./pager.module.css";

interface PagerProps {
  readonly page: number;
  readonly lastPage: number;
  readonly onPage: (page: number) => void;
}

/** First, previous, a number to type, next, last. Nothing where there is one page. */
export function Pager({ page, lastPage, onPage }: PagerProps) {
  const { t } = useLingui();
  if (lastPage <= 1) return null;

  function commit(input: HTMLInputElement) {
    const wanted = Math.min(lastPage, Math.max(1, Number(input.value) || 1));
    input.value = String(wanted);
    if (wanted !== page) onPage(wanted);
  }

  return (
    <nav className={classes["pager"]} aria-label={t`Pages`}>
      <Step label={t`First page`} to={1} {...{ page, lastPage, onPage }}>
        <IconChevronsLeft size={16} stroke={1.6} />
      </Step>
      <Step label={t`Previous page`} to={page - 1} {...{ page, lastPage, onPage }}>
        <IconChevronLeft size={16} stroke={1.6} />
      </Step>
      <input
        className={classes["number"]}
        inputMode="numeric"
        aria-label={t`Page number`}
        key={page}
        defaultValue={page}
        onInput={({ currentTarget }) => {
          currentTarget.value = currentTarget.value.replace(/\D/g, "");
        }}
        onBlur={({ currentTarget }) => commit(currentTarget)}
        onKeyDown={({ key, currentTarget }) => key === "Enter" && commit(currentTarget)}
      />
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

function Step(props: PagerProps & { label: string; to: number; children: ReactNode }) {
  const { page, lastPage, to } = props;
  return (
    <ActionIcon
      variant="default"
      size={30}
      aria-label={props.label}
      disabled={to < 1 || to > lastPage || to === page}
      onClick={() => props.onPage(to)}
    >
      {props.children}
    </ActionIcon>
  );
}
