import { Plural, Trans } from "@lingui/react/macro";
import { count as formatCount } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import classes from "./firewall.module.css";
import type { ImportPreview } from "./import-preview.ts";

const linesShown = 5;

/** What the text holds, as it is typed; what cannot be read is skipped, and said with its line. */
export function ImportSummary({ preview }: { preview: ImportPreview }) {
  const { locale } = useLocale();
  const { valid, invalid, wide } = preview;
  const ranges = wide.slice(0, linesShown).join(", ");
  const skipped = invalid.length;
  if (valid + skipped === 0) return null;
  const hidden = formatCount(locale, skipped - linesShown);
  return (
    <div className={classes["summary"]} role="status">
      <p>
        <Plural value={valid} one="# entry can be read." other="# entries can be read." />
      </p>
      {wide.length > 0 ? (
        <p className={classes["wide"]}>
          <Trans>Very wide, please check: {ranges}</Trans>
        </p>
      ) : null}
      {skipped > 0 ? (
        <>
          <p>
            <Plural
              value={skipped}
              one="# is no address and will be skipped:"
              other="# are no addresses and will be skipped:"
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
