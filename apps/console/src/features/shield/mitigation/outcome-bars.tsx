import { Trans, useLingui } from "@lingui/react/macro";
import type { MitigationReplay, ReplayOutcome } from "@palisade/contract/http/replay";
import { useLocale } from "#src/lib/preferences.ts";
import { wholeNumber } from "#src/lib/format.ts";
import classes from "./replay.module.css";

type Outcomes = MitigationReplay["saved"];

const outcomes = ["admitted", "verify", "refused"] as const satisfies readonly ReplayOutcome[];

/** The outcomes of all logins, before and after: the bars repeat the numbers. */
export function OutcomeBars({ saved, proposed }: Pick<MitigationReplay, "saved" | "proposed">) {
  const { t } = useLingui();
  const labels: Record<ReplayOutcome, string> = {
    admitted: t({ message: "Let in", context: "replay" }),
    verify: t({ message: "Checked first", context: "replay" }),
    refused: t({ message: "Refused", context: "replay" }),
  };
  return (
    <table className={classes["outcomes"]}>
      <thead>
        <tr>
          <td>{null}</td>
          {outcomes.map((outcome) => (
            <th key={outcome} scope="col" data-outcome={outcome}>
              {labels[outcome]}
            </th>
          ))}
        </tr>
      </thead>
      <Row name={<Trans>Saved settings</Trans>} of={saved} />
      <Row name={<Trans>With your changes</Trans>} of={proposed} />
    </table>
  );
}

function Row({ name, of }: { readonly name: React.ReactNode; readonly of: Outcomes }) {
  const { locale } = useLocale();
  return (
    <tbody>
      <tr>
        <th scope="row">{name}</th>
        {outcomes.map((outcome) => (
          <td key={outcome}>{wholeNumber(locale, of[outcome])}</td>
        ))}
      </tr>
      <tr aria-hidden="true">
        <td colSpan={4}>
          <span className={classes["bar"]}>
            {outcomes.map((outcome) =>
              of[outcome] === 0 ? null : (
                <span key={outcome} data-outcome={outcome} style={{ flexGrow: of[outcome] }} />
              ),
            )}
          </span>
        </td>
      </tr>
    </tbody>
  );
}
