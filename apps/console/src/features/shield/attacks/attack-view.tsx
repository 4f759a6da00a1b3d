import { Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Server } from "@palisade/contract/http/servers";
import { IconArrowLeft, IconFileTypePdf } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { errorText } from "#src/api/errors.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { paths } from "#src/lib/paths.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { isOfDatagrams } from "../attack-peaks.ts";
import type { Change } from "../receipt.tsx";
import {
  AttackFigures,
  AttackLevels,
  AttackPlayers,
  AttackReportPanels,
} from "./attack-report.tsx";
import { AttackSample } from "./attack-sample.tsx";
import { AttackShares } from "./attack-shares.tsx";
import { AttackSources } from "./attack-sources.tsx";
import classes from "./attack.module.css";
import { attackQuery, saveAttackPdf } from "./attacks.queries.ts";

interface AttackViewProps {
  readonly shield: Server;
  readonly attackId: string;
  readonly onChange: (change: Change) => void;
}

/** One attack, with its sources, for the owner and members. */
export function AttackView({ shield, attackId, onChange }: AttackViewProps) {
  const { t } = useLingui();
  const of = { shieldId: shield.id, attackId };
  const query = useQuery(attackQuery(of));
  return (
    <div className={classes["page"]}>
      <p className={classes["back"]}>
        <Link to={paths.shield} params={{ shieldId: shield.id, section: "attacks" }}>
          <IconArrowLeft size={15} stroke={1.6} aria-hidden="true" /> <Trans>All attacks</Trans>
        </Link>
      </p>
      <QueryBoundary
        query={query}
        errorTitle={t`Failed to load the attack`}
        skeleton={
          <>
            <Skeleton height={110} radius={10} />
            <Skeleton height={300} radius={10} />
          </>
        }
      >
        {(attack) => (
          <>
            <AttackFigures
              attack={attack}
              actions={<PdfButton {...of} startedAt={attack.started_at} />}
            />
            <AttackReportPanels
              attack={attack}
              threshold={attack.threshold}
              datagramsThreshold={attack.datagrams_threshold}
            >
              <AttackPlayers attack={attack} />
              <AttackLevels attack={attack} />
            </AttackReportPanels>
            {isOfDatagrams(attack) ? null : (
              <AttackSources shield={shield} attack={attack} onChange={onChange} />
            )}
            <AttackSample shieldId={shield.id} attack={attack} />
            {shield.role === "owner" ? <AttackShares {...of} /> : null}
          </>
        )}
      </QueryBoundary>
    </div>
  );
}

function PdfButton(props: { shieldId: string; attackId: string; startedAt: string }) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const save = useMutation({
    mutationFn: () => saveAttackPdf(props, locale),
    onError: (error) => toast("error", errorText(error, t`Failed to download the report`)),
  });
  return (
    <ActionButton
      variant="default"
      size="compact-md"
      leftSection={<IconFileTypePdf size={16} stroke={1.6} />}
      loading={save.isPending}
      onClick={() => save.mutate()}
    >
      <Trans>Report as PDF</Trans>
    </ActionButton>
  );
}
