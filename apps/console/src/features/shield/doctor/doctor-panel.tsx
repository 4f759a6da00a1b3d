import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { IconStethoscope } from "@tabler/icons-react";
import { paths } from "#src/lib/paths.ts";
import { LinkButton } from "#src/ui/link-button.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { RelativeTime } from "#src/ui/time.tsx";
import classes from "./doctor.module.css";
import { doctorQuery } from "./doctor.queries.ts";
import { Outcome } from "./outcome.tsx";
import { ReportVerdict } from "./report-summary.tsx";

/** Link from the overview to the doctor, with the last result; it starts no check. */
export function DoctorPanel({ shieldId }: { shieldId: string }) {
  const { data } = useQuery({ ...doctorQuery(shieldId), enabled: false });
  return (
    <Panel
      title={<Trans>Setup doctor</Trans>}
      aside={data ? <Outcome outcome={data.outcome} /> : undefined}
    >
      <p className={classes["lead"]}>
        {data ? (
          <>
            <ReportVerdict report={data} />{" "}
            <Trans>
              Checked <RelativeTime at={data.checked_at} />.
            </Trans>
          </>
        ) : (
          <Trans>
            Players cannot join? The doctor checks DNS, every edge and your server, and tells you
            what to fix.
          </Trans>
        )}
      </p>
      <LinkButton
        className={classes["open"] ?? ""}
        variant="default"
        size="xs"
        leftSection={<IconStethoscope size={15} stroke={1.6} />}
        to={paths.shield}
        params={{ shieldId, section: "doctor" }}
      >
        <Trans>Doctor</Trans>
      </LinkButton>
    </Panel>
  );
}
