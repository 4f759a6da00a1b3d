import { Trans, useLingui } from "@lingui/react/macro";
import { responseTimeRoutes } from "@palisade/contract/http/response-targets";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "#src/api/client.ts";
import { useCurrentUser } from "#src/api/current-user.ts";
import { paths } from "#src/lib/paths.ts";
import { Panel } from "#src/ui/panel.tsx";
import { severityLabels } from "#src/ui/ticket-labels.ts";
import classes from "../support.module.css";
import { UsualAnswerText } from "../usual-answer-text.tsx";

const responseTimesQuery = {
  queryKey: ["tickets", "response times"],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
    (await call(responseTimeRoutes.listResponseTimes, { signal })).data.response_times,
};

/** How soon support answers on the user's support plan. While that is not known it is left out. */
export function AnswerTime() {
  const { t, i18n } = useLingui();
  const plan = useCurrentUser()?.current_subscription_plan.name ?? t`Free`;
  const times = useQuery(responseTimesQuery).data;
  if (times === undefined || times.length === 0) return null;
  return (
    <Panel title={<Trans>Your support plan</Trans>}>
      <p className={classes["planName"]}>{plan}</p>
      <dl className={classes["answerTimes"]}>
        {times.map((time) => (
          <div key={time.severity}>
            <dt>{i18n._(severityLabels[time.severity])}</dt>
            <dd>
              <UsualAnswerText answer={time} />
            </dd>
          </div>
        ))}
      </dl>
      <p className={classes["hint"]}>
        <Link to={paths.supportPlans}>
          <Trans>Support plans</Trans>
        </Link>
      </p>
    </Panel>
  );
}
