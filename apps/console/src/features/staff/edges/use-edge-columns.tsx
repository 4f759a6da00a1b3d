import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { drainEdge, revokeEdge, type StaffEdge } from "@palisade/contract/http/staff-edges";
import { bandwidth, perSecond, wholeNumber } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Status } from "#src/ui/status.tsx";
import { RelativeTime } from "#src/ui/time.tsx";
import parts from "../parts/parts.module.css";
import type { StaffColumn } from "../parts/staff-rows.tsx";
import { useMay } from "../parts/use-may.ts";

export type EdgeAction = "drain" | "revoke";

export function useEdgeColumns(
  onAct: (action: EdgeAction, edge: StaffEdge) => void,
): readonly StaffColumn<StaffEdge>[] {
  const { t } = useLingui();
  const { locale } = useLocale();
  const may = useMay();
  return [
    {
      key: "edge",
      name: t`Edge`,
      bare: true,
      renderCell: ({ name, kind, addresses }) => (
        <>
          <span className={parts["main"]}>
            {name}
            {kind === "dns" ? " · DNS" : null}
          </span>
          <span className={`${parts["sub"]} mono`}>{addresses.join(" ")}</span>
        </>
      ),
    },
    { key: "location", name: t`Location`, renderCell: ({ location }) => location },
    { key: "state", name: t`State`, renderCell: (edge) => <EdgeState edge={edge} /> },
    {
      key: "load",
      name: t`Players`,
      right: true,
      renderCell: ({ kind, load }) =>
        kind === "dns" ? (
          "–"
        ) : (
          <>
            {wholeNumber(locale, load.players)}
            <span className={parts["sub"]}>
              {perSecond(locale, load.connections_per_second)} ·{" "}
              {bandwidth(locale, load.bandwidth_bps)}
            </span>
          </>
        ),
    },
    { key: "program", name: t`Version`, renderCell: (edge) => <ProgramVersion edge={edge} /> },
    { key: "config", name: t`Configuration`, renderCell: (edge) => <ConfigState edge={edge} /> },
    {
      key: "seen",
      name: t`Last seen`,
      right: true,
      renderCell: ({ last_seen_at: at }) => (at === null ? "–" : <RelativeTime at={at} />),
    },
    {
      key: "actions",
      name: t`Actions`,
      right: true,
      bare: true,
      renderCell: (edge) => {
        const { name, state, kind, drained } = edge;
        if (state === "revoked") return null;
        const canDrain = kind === "edge" && state !== "invited" && may(drainEdge);
        return (
          <span className={parts["buttons"]}>
            {canDrain ? (
              <Button
                size="xs"
                variant="default"
                aria-label={drained ? t`End draining ${name}` : t`Drain ${name}`}
                onClick={() => onAct("drain", edge)}
              >
                {drained ? <Trans>End draining</Trans> : <Trans>Drain</Trans>}
              </Button>
            ) : null}
            {may(revokeEdge) ? (
              <Button
                size="xs"
                variant="default"
                aria-label={t`Revoke ${name}`}
                onClick={() => onAct("revoke", edge)}
              >
                <Trans>Revoke</Trans>
              </Button>
            ) : null}
          </span>
        );
      },
    },
  ];
}

function EdgeState({ edge: { state, drained } }: { edge: StaffEdge }) {
  if (state === "invited") {
    return (
      <Status tone="idle">
        <Trans>Invited</Trans>
      </Status>
    );
  }
  if (state === "revoked") {
    return (
      <Status tone="idle">
        <Trans>Revoked</Trans>
      </Status>
    );
  }
  return (
    <>
      <Status tone={state === "offline" ? "danger" : drained ? "attack" : "protected"}>
        {state === "offline" ? <Trans>Offline</Trans> : <Trans>Online</Trans>}
      </Status>
      {drained ? (
        <span className={parts["sub"]}>
          <Trans>drained</Trans>
        </span>
      ) : null}
    </>
  );
}

function ProgramVersion({ edge }: { edge: StaffEdge }) {
  const { program_version: version, has_other_version: isOther } = edge;
  return (
    <>
      {version ?? "–"}
      {isOther ? (
        <span className={parts["sub"]}>
          <Trans>API has another</Trans>
        </span>
      ) : null}
    </>
  );
}

function ConfigState({ edge: { config, state } }: { edge: StaffEdge }) {
  const { locale } = useLocale();
  if (state === "invited") return "–";
  const version = wholeNumber(locale, config.version);
  const behind = wholeNumber(locale, config.behind);
  const rejected = wholeNumber(locale, config.rejected);
  return (
    <>
      <Status tone={config.rejected > 0 ? "danger" : config.behind > 0 ? "attack" : "protected"}>
        {config.rejected > 0 ? (
          <Trans>{rejected} rejected</Trans>
        ) : config.behind > 0 ? (
          <Trans>{behind} behind</Trans>
        ) : (
          <Trans>Newest</Trans>
        )}
      </Status>
      <span className={parts["sub"]}>
        <Trans>
          {version}, schema {config.schema}
        </Trans>
      </span>
    </>
  );
}
