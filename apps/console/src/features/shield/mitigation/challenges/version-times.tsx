import { Trans, useLingui } from "@lingui/react/macro";
import type { ChallengeTimes } from "@palisade/contract/http/mitigation";
import { IconChevronRight } from "@tabler/icons-react";
import { useId, useState } from "react";
import { count, seconds } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import classes from "./challenges.module.css";

/** Width of the longest time. */
const barPx = 120;

interface VersionTimesProps {
  readonly versions: ChallengeTimes["challenges"][number]["versions"];
  /** The name of the grade, for people who hear the table. */
  readonly grade: string;
}

/** The times of each version, on demand. */
export function VersionTimes({ versions, grade }: VersionTimesProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const longestMs = Math.max(1, ...versions.map(({ median_ms }) => median_ms ?? 0));
  const unit = { en: "s", ru: "с" }[locale];
  return (
    <>
      <button
        type="button"
        className={classes["opener"]}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <IconChevronRight size={14} stroke={1.8} aria-hidden="true" />
        <Trans>By version</Trans>
      </button>
      <div id={id} hidden={!isOpen} className={classes["versions"]}>
        {isOpen ? (
          <table aria-label={t`${grade}: by version`}>
            <thead>
              <tr>
                <th scope="col">
                  <Trans>Version</Trans>
                </th>
                <th scope="col">
                  <Trans>Median</Trans>
                </th>
                <th scope="col">
                  <Trans context="number of players">Passed</Trans>
                </th>
                <th scope="col">
                  <Trans context="number of players">Failed</Trans>
                </th>
              </tr>
            </thead>
            <tbody>
              {versions.map((row) => (
                <tr key={row.protocol ?? "others"}>
                  <th scope="row">
                    {row.version ??
                      (row.protocol === null ? t`Others` : t`Protocol ${row.protocol}`)}
                  </th>
                  <td className={classes["median"]}>
                    {row.median_ms === null ? (
                      "–"
                    ) : (
                      <>
                        <span
                          className={classes["length"]}
                          style={{ inlineSize: (barPx * row.median_ms) / longestMs }}
                          aria-hidden="true"
                        />
                        {seconds(locale, row.median_ms)} {unit}
                      </>
                    )}
                  </td>
                  <td>{count(locale, row.passed)}</td>
                  <td>{count(locale, row.failed)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : null}
      </div>
    </>
  );
}
