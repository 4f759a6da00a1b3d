import { plural } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { DoctorReport } from "@palisade/contract/http/server-setup";
import type { ReactNode } from "react";
import { Banner } from "#src/ui/banner.tsx";
import { RelativeTime } from "#src/ui/time.tsx";
import classes from "./doctor.module.css";
import { countOutcomes } from "./findings.ts";
import { outcomes } from "./outcome.tsx";

const tones = {
  ok: "protected",
  warning: "attack",
  failed: "danger",
  unknown: "neutral",
} as const satisfies Record<DoctorReport["outcome"], unknown>;

/** The report in one line. */
export function ReportSummary({ report }: { report: DoctorReport }) {
  const Icon = outcomes[report.outcome].icon;
  return (
    <Banner tone={tones[report.outcome]} live="polite" icon={<Icon size={17} stroke={1.6} />}>
      <ReportVerdict report={report} />{" "}
      <span className={classes["when"]}>
        <Trans>
          Checked <RelativeTime at={report.checked_at} />.
        </Trans>
      </span>
    </Banner>
  );
}

export function ReportVerdict({ report }: { report: DoctorReport }) {
  const { failed, warning } = countOutcomes(report.findings);
  const texts: Record<DoctorReport["outcome"], ReactNode> = {
    ok: <Trans>Everything is set up correctly.</Trans>,
    warning: plural(warning, { one: "# warning.", other: "# warnings." }),
    failed: plural(failed, { one: "# problem to fix.", other: "# problems to fix." }),
    unknown: <Trans>Some checks could not be completed.</Trans>,
  };
  return <strong>{texts[report.outcome]}</strong>;
}
