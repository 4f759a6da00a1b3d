import { Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { challengeGrades } from "@palisade/contract/edge/plain-values";
import type { ChallengeTimes, MitigationSettings } from "@palisade/contract/http/mitigation";
import { useQuery } from "@tanstack/react-query";
import { Panel } from "#src/ui/panel.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import { challengesQuery } from "../mitigation.queries.ts";
import { actingOf } from "./acting.ts";
import { typicalMsOf, useGradeTexts } from "./challenge-texts.ts";
import classes from "./challenges.module.css";
import { GradeCard } from "./grade-card.tsx";

interface ChallengesPanelProps {
  readonly shieldId: string;
  /** As they are saved. */
  readonly settings: Pick<MitigationSettings, "antibot_level" | "secure_profiles" | "shadow_mode">;
}

/** Each check of unknown players: what it does, which bots it stops, and the time it takes real players. */
export function ChallengesPanel({ shieldId, settings }: ChallengesPanelProps) {
  const { t } = useLingui();
  const query = useQuery(challengesQuery(shieldId));
  return (
    <Panel
      prominent
      title={<Trans>Checks of unknown players</Trans>}
      note={
        <Trans>
          Each stricter check begins with the ones above it. Times are medians of your players in
          the last 7 days; "typical" ones are estimates, where too few players were checked.
        </Trans>
      }
    >
      <QueryBoundary
        query={query}
        errorTitle={t`Times of the checks could not be loaded`}
        compact
        skeleton={
          <div className={classes["grades"]}>
            {challengeGrades.map((grade) => (
              <Skeleton key={grade} height={grade === "gravity" ? 320 : 132} radius={8} />
            ))}
          </div>
        }
      >
        {(times) => <Grades times={times} settings={settings} />}
      </QueryBoundary>
    </Panel>
  );
}

function Grades({
  times,
  settings,
}: Pick<ChallengesPanelProps, "settings"> & { times: ChallengeTimes }) {
  const texts = useGradeTexts();
  return (
    <ol className={classes["grades"]}>
      {challengeGrades.map((grade) => (
        <GradeCard
          key={grade}
          grade={grade}
          texts={texts[grade]}
          acting={actingOf(grade, settings)}
          typicalMs={typicalMsOf(grade, texts)}
          times={times.challenges.find(({ challenge }) => challenge === grade)}
        />
      ))}
    </ol>
  );
}
