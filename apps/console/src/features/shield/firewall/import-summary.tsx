import { Plural, Trans } from "@lingui/react/macro";
import { count as formatCount } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import classes from "./firewall.module.css";
import { AllowedNameNote } from "../block/name-notes.tsx";
import type { ListType } from "./firewall-diff.ts";
import type { ImportPreview } from "./import-preview.ts";

const linesShown = 5;

/** Counts valid entries while the user types, and lists skipped ones with their line. */
export function ImportSummary({ preview, list }: { preview: ImportPreview; list: ListType }) {
  const { locale } = useLocale();
  const { valid, names, invalid, wide } = preview;
  const ranges = wide.slice(0, linesShown).join(", ");
  const skipped = invalid.length;
  if (valid + skipped === 0) return null;
  const hidden = formatCount(locale, skipped - linesShown);
  return (
    <div className={classes["summary"]} role="status">
      <p>
        <Plural value={valid} one="# entry can be imported." other="# entries can be imported." />
        {names > 0 ? (
          <>
            {" "}
            <Plural
              value={names}
              one="# of them is a player's name."
              other="# of them are players' names."
            />
          </>
        ) : null}
      </p>
      {names > 0 && list === "whitelist" ? (
        <p className={classes["wide"]}>
          <AllowedNameNote />
        </p>
      ) : null}
      {wide.length > 0 ? (
        <p className={classes["wide"]}>
          <Trans>Very wide ranges, please check: {ranges}</Trans>
        </p>
      ) : null}
      {skipped > 0 ? (
        <>
          <p>
            <Plural
              value={skipped}
              one="# cannot be read as an entry and will be skipped:"
              other="# cannot be read as entries and will be skipped:"
            />
          </p>
          <ul>
            {invalid.slice(0, linesShown).map(({ line, text }) => (
              <li key={`${line} ${text}`}>
                <Trans>Line {line}</Trans>: <span className="mono">{text.slice(0, 64)}</span>
              </li>
            ))}
            {skipped > linesShown ? (
              <li>
                <Trans>and {hidden} more</Trans>
              </li>
            ) : null}
          </ul>
        </>
      ) : null}
    </div>
  );
}
