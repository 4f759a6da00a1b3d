import { Button } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Trans, useLingui } from "@lingui/react/macro";
import type { ProbeAnswer } from "@palisade/contract/http/server-setup";
import { useQuery } from "@tanstack/react-query";
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconPlugConnected,
  IconRefresh,
} from "@tabler/icons-react";
import { useEffect, type ReactNode } from "react";
import { errorText, fieldIssues } from "#src/api/errors.ts";
import { ServerListRow } from "#src/ui/server-list-row.tsx";
import type { SetupDraft } from "./draft.ts";
import { setFieldErrors } from "./field-errors.ts";
import classes from "./probe-panel.module.css";
import { probeQuery } from "./setup.queries.ts";
import { issuesOf, portOf } from "./steps.ts";

/** Waits for a pause in typing: a user may ask for 20 checks a minute. */
const debounceMs = 600;

/**
 * An edge's view of the typed address. Its answer never blocks the wizard; an address or port
 * that the server refuses does.
 */
export function ProbePanel({ draft }: { draft: SetupDraft }) {
  const { t } = useLingui();
  const isValid = Object.keys(issuesOf(draft, ["real_ip", "real_port"])).length === 0;
  const typed = isValid ? `${draft.real_ip.trim()} ${portOf(draft)}` : "";
  const [asked] = useDebouncedValue(typed, debounceMs);
  const isTyping = asked !== typed;
  const [host = "", port = ""] = asked.split(" ");
  const query = useQuery({
    ...probeQuery(host, Number(port)),
    // A changed value removes the observer, which cancels the running call.
    enabled: typed !== "" && !isTyping,
  });
  const isLooking = typed !== "" && (isTyping || query.isFetching);
  const answer = isLooking || typed === "" ? undefined : query.data;
  const { error } = query;
  const isRefused = !isLooking && Object.keys(refusalsOf(error)).length > 0;
  // The fields show it until they are changed.
  useEffect(() => setFieldErrors(refusalsOf(error)), [error]);

  return (
    <section
      className={classes["probe"]}
      aria-label={t`Live check`}
      data-state={stateOf(answer, isLooking)}
    >
      <ServerListRow
        name={draft.server_name.trim() === "" ? "Minecraft Server" : draft.server_name}
        status={answer?.status ?? null}
        latencyMs={answer?.latency_ms ?? null}
        waiting={isLooking}
      />
      <div className={classes["verdict"]} role="status">
        {typed === "" || isRefused ? (
          <Verdict icon={<IconPlugConnected size={17} stroke={1.6} />}>
            <Trans>Enter a valid address and port, and an edge checks your server.</Trans>
          </Verdict>
        ) : isLooking ? (
          <Verdict icon={<IconPlugConnected size={17} stroke={1.6} />}>
            <Trans>An edge is checking your server…</Trans>
          </Verdict>
        ) : answer ? (
          <Answer answer={answer} />
        ) : (
          <Verdict icon={<IconAlertTriangle size={17} stroke={1.6} />}>
            {errorText(error, t`The check is not available right now. You can continue.`)}
          </Verdict>
        )}
        {typed !== "" && !isLooking && !isRefused && answer?.outcome !== "online" ? (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconRefresh size={14} stroke={1.6} aria-hidden="true" />}
            onClick={() => void query.refetch()}
          >
            <Trans>Check again</Trans>
          </Button>
        ) : null}
      </div>
    </section>
  );
}

/** Why the address or the port is not checked at all. */
function refusalsOf(error: unknown): Partial<Record<"real_ip" | "real_port", string>> {
  const { real_ip: address, real_port: port } = fieldIssues(error);
  return {
    ...(address === undefined ? {} : { real_ip: address }),
    ...(port === undefined ? {} : { real_port: port }),
  };
}

function stateOf(answer: ProbeAnswer | undefined, isLooking: boolean): string {
  if (isLooking) return "looking";
  if (answer === undefined) return "idle";
  return answer.outcome === "online" ? "online" : "other";
}

function Answer({ answer }: { answer: ProbeAnswer }) {
  const { t } = useLingui();
  const { status, edge, latency_ms: latency } = answer;
  if (answer.outcome !== "online" || status === null) {
    return (
      <Verdict icon={<IconAlertTriangle size={17} stroke={1.6} />}>
        {answer.message}
        {answer.outcome === "no_edge" ? null : (
          <span className={classes["facts"]}>
            <Trans>
              You can continue: players are sent to it once it answers as a Minecraft server.
            </Trans>
          </span>
        )}
      </Verdict>
    );
  }
  const { players_online: players, players_max: most } = status;
  const facts = [
    status.version,
    t`${players}/${most} players`,
    ...(latency === null ? [] : [`${latency} ms`]),
    ...(edge === null ? [] : [t`checked by ${edge}`]),
  ];
  return (
    <Verdict icon={<IconCircleCheck size={17} stroke={1.6} />}>
      {answer.message}
      <span className={classes["facts"]}>{facts.join(" · ")}</span>
    </Verdict>
  );
}

function Verdict({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className={classes["line"]}>
      <span className={classes["icon"]} aria-hidden="true">
        {icon}
      </span>
      <span>{children}</span>
    </p>
  );
}
