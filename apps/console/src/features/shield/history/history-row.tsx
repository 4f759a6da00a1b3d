import { Button } from "@mantine/core";
import { Plural, Trans, useLingui } from "@lingui/react/macro";
import type { HistoryEntry } from "@palisade/contract/http/history";
import { IconChevronRight } from "@tabler/icons-react";
import { fullTime } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { RelativeTime } from "#src/ui/time.tsx";
import { ChangeTable } from "./change-table.tsx";
import { useChangeText } from "./value-text.ts";
import { areaLabels, useFieldLabel } from "./history-labels.ts";
import list from "#src/ui/expandable-list.module.css";
import classes from "./history.module.css";

interface HistoryRowProps {
  readonly entry: HistoryEntry;
  readonly onCompare: () => void;
}

/** One change: where, what and by which account; expanded, every setting with before and after. */
export function HistoryRow({ entry, onCompare }: HistoryRowProps) {
  const { i18n } = useLingui();
  const labelOf = useFieldLabel();
  const textOf = useChangeText();
  const [first, ...others] = entry.changes;
  const made = first === undefined || others.length > 0 ? null : textOf(first);
  return (
    <details className={list["entry"]}>
      <summary>
        <IconChevronRight size={16} stroke={1.6} aria-hidden="true" />
        <span className={classes["area"]}>{i18n._(areaLabels[entry.area])}</span>
        <span className={classes["what"]}>
          {first === undefined ? null : labelOf(first.field)}
          {first?.item ? `: ${first.item}` : null}
          {made === null ? null : <span className={classes["made"]}> {made}</span>}
          {others.length > 0 ? (
            <span className="dim">
              {" "}
              <Plural value={others.length} one="and # more" other="and # more" />
            </span>
          ) : null}
        </span>
        <span className={classes["author"]}>
          <AuthorName author={entry.author} />
        </span>
        <span className={`${list["when"]} ${classes["when"]}`}>
          <RelativeTime at={entry.created_at} />
        </span>
      </summary>
      <div className={classes["details"]}>
        <ChangeTable changes={entry.changes} />
        <div className={classes["foot"]}>
          <Footnote entry={entry} />
          <Button size="compact-sm" variant="default" onClick={onCompare}>
            <Trans>Compare and restore</Trans>
          </Button>
        </div>
      </div>
    </details>
  );
}

function AuthorName({ author: { name, key } }: { readonly author: HistoryEntry["author"] }) {
  return (
    <>
      {name}
      {key === null ? null : (
        <span className="dim">
          {" "}
          <Trans>by API key {key}</Trans>
        </span>
      )}
    </>
  );
}

function Footnote({ entry }: { readonly entry: HistoryEntry }) {
  const { locale } = useLocale();
  const { created_at: at, revision } = entry;
  return (
    <p className={classes["footnote"]}>
      <time dateTime={at}>{fullTime(locale, new Date(at))}</time>
      {revision === null ? null : (
        <>
          {" · "}
          <Trans>Revision {revision}</Trans>
        </>
      )}
    </p>
  );
}
