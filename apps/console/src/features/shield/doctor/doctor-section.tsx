import { Button, Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { DoctorReport } from "@palisade/contract/http/server-setup";
import type { Server } from "@palisade/contract/http/servers";
import { Link } from "@tanstack/react-router";
import { IconArrowLeft, IconPlugConnectedX, IconStethoscope } from "@tabler/icons-react";
import { errorText } from "#src/api/errors.ts";
import { paths } from "#src/lib/paths.ts";
import { Banner } from "#src/ui/banner.tsx";
import { ContactSupport } from "#src/ui/contact-support.tsx";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { Panel } from "#src/ui/panel.tsx";
import classes from "./doctor.module.css";
import { groupFindings } from "./findings.ts";
import { FindingGroupPanel } from "./finding-list.tsx";
import { ReportSummary } from "./report-summary.tsx";
import { useDoctor } from "./use-doctor.ts";

/** Checks everything between a player and the owner's server, from every edge. */
export function DoctorSection({ shield }: { shield: Server }) {
  const { t } = useLingui();
  const { data, error, isFetching, isLimited, secondsLeft, refetch } = useDoctor(shield.id);
  const failed = error !== null && !isFetching;
  return (
    <>
      <div className={classes["head"]}>
        <div>
          <div className={classes["heading"]}>
            <Link
              to={paths.shield}
              params={{ shieldId: shield.id, section: undefined }}
              className={classes["back"]}
              aria-label={t`Back to the overview`}
            >
              <IconArrowLeft size={18} stroke={1.6} />
            </Link>
            <h2>
              <Trans>Doctor</Trans>
            </h2>
          </div>
          <p className={classes["lead"]}>
            <Trans>Checks DNS, every edge and your server, and tells you what to fix.</Trans>
          </p>
        </div>
        <Button
          leftSection={<IconStethoscope size={16} stroke={1.6} />}
          loading={isFetching}
          disabled={secondsLeft > 0}
          onClick={() => void refetch()}
        >
          {secondsLeft > 0 ? <Trans>Run again in {secondsLeft} s</Trans> : <Trans>Run again</Trans>}
        </Button>
      </div>
      {failed && data ? (
        <div className={classes["notice"]}>
          <Banner tone="attack" live="polite" icon={<IconPlugConnectedX size={17} stroke={1.6} />}>
            {isLimited ? (
              <Trans>Too many checks in a short time. The last result is shown below.</Trans>
            ) : (
              <>
                {errorText(error, t`The server could not be reached.`)}{" "}
                <Trans>The last result is shown below.</Trans>
              </>
            )}
          </Banner>
        </div>
      ) : null}
      {data ? (
        <Report shield={shield} report={data} isRunning={isFetching} />
      ) : failed ? (
        <Panel>
          <ErrorState
            error={error}
            title={t`The doctor could not run`}
            onRetry={() => void refetch()}
          />
        </Panel>
      ) : (
        <DoctorSkeleton />
      )}
    </>
  );
}

interface ReportProps {
  readonly shield: Server;
  readonly report: DoctorReport;
  readonly isRunning: boolean;
}

function Report({ shield, report, isRunning }: ReportProps) {
  const { t } = useLingui();
  const name = shield.server_name;
  const groups = groupFindings(report.findings);
  if (groups.length === 0) {
    return (
      <Panel>
        <EmptyState
          icon={<IconStethoscope size={22} stroke={1.6} />}
          title={t`Nothing to check`}
          text={<Trans>This shield has no domain and no server yet.</Trans>}
        />
      </Panel>
    );
  }
  return (
    <div className={classes["report"]} aria-busy={isRunning}>
      <ReportSummary report={report} />
      {groups.map((group) => (
        <FindingGroupPanel key={group.subject} shieldId={shield.id} group={group} />
      ))}
      {report.outcome === "ok" ? null : (
        <p className={classes["lead"]}>
          <Trans>
            Need help?{" "}
            <ContactSupport
              category="technical"
              subject={t`The doctor finds problems of ${name}`}
              shieldId={shield.id}
            />
          </Trans>
        </p>
      )}
    </div>
  );
}

function DoctorSkeleton() {
  return (
    <LoadingRegion className={classes["report"]}>
      <Skeleton height={46} radius={10} />
      <Skeleton height={96} radius={10} />
      <Skeleton height={96} radius={10} />
      <Skeleton height={140} radius={10} />
    </LoadingRegion>
  );
}
