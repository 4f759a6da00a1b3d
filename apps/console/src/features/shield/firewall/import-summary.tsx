import { Plural, Trans, useLingui } from "@lingui/react/macro";
import { absoluteTime, count as formatCount } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import classes from "./firewall.module.css";
import { AllowedNameNote } from "../block/name-notes.tsx";
import type { ListType } from "./firewall-diff.ts";
import type { ImportPreview, ReadEntry } from "./import-preview.ts";

const linesShown = 5;

/** Counts valid entries while the user types, and lists skipped ones with their line. */
export function ImportSummary({ preview, list }: { preview: ImportPreview; list: ListType }) {
  const { locale } = useLocale();
  const { valid, names, invalid, wide, first, ended, otherList } = preview;
  const ranges = wide.slice(0, linesShown).join(", ");
  const skipped = invalid.length;
  if (valid + skipped + ended + otherList === 0) return null;
  const hidden = formatCount(locale, skipped - linesShown);
  const more = formatCount(locale, valid - first.length);
  return (
    <div className={classes["summary"]} role="status">
      <p>
        <FormatName format={preview.format} />{" "}
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
      <ul className={classes["first"]}>
        {first.map((entry) => (
          <FirstEntry key={`${entry.line} ${entry.text}`} entry={entry} />
        ))}
        {valid > first.length ? (
          <li>
            <Trans>and {more} more</Trans>
          </li>
        ) : null}
      </ul>
      {ended > 0 ? (
        <p>
          <Plural
            value={ended}
            one="# entry has ended already and will be skipped."
            other="# entries have ended already and will be skipped."
          />
        </p>
      ) : null}
      {otherList > 0 ? (
        <p>
          <OtherList list={list} value={otherList} />
        </p>
      ) : null}
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

function FormatName({ format }: Pick<ImportPreview, "format">) {
  if (format === "csv") return <Trans>Read as CSV with columns.</Trans>;
  if (format === "json") return <Trans>Read as JSON.</Trans>;
  if (format === "json-lines") return <Trans>Read as lines of JSON.</Trans>;
  return <Trans>Read as lines of text.</Trans>;
}

/** An entry as it was read. */
function FirstEntry({ entry: { text, kind, note, endMs } }: { readonly entry: ReadEntry }) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const end = endMs === null ? "" : absoluteTime(locale, new Date(endMs));
  const name = kind === "name" ? t`player` : text.includes("/") ? t`range` : t`address`;
  return (
    <li>
      <span className="mono">{text}</span> · {name}
      {end === "" ? null : (
        <>
          {" · "}
          <Trans>until {end}</Trans>
        </>
      )}
      {note === "" ? null : ` · ${note}`}
    </li>
  );
}

function OtherList({ list, value }: { readonly list: ListType; readonly value: number }) {
  return list === "blacklist" ? (
    <Plural
      value={value}
      one="# rule is for the whitelist and will be skipped. Import the file there, too."
      other="# rules are for the whitelist and will be skipped. Import the file there, too."
    />
  ) : (
    <Plural
      value={value}
      one="# rule is for the blacklist and will be skipped. Import the file there, too."
      other="# rules are for the blacklist and will be skipped. Import the file there, too."
    />
  );
}
