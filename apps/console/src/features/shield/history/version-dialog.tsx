import { Button, NativeSelect, Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { HistoryEntry, LeftOut } from "@palisade/contract/http/history";
import { allows } from "@palisade/contract/http/member-rights";
import type { Server } from "@palisade/contract/http/servers";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { absoluteTime, fullTime } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Banner } from "#src/ui/banner.tsx";
import { Dialog } from "#src/ui/dialog.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import type { Change } from "../receipt.tsx";
import { ChangeTable } from "./change-table.tsx";
import { areaLabels, useFieldLabel } from "./history-labels.ts";
import classes from "./history.module.css";
import { comparisonQuery } from "./history.queries.ts";
import { useRestore } from "./use-restore.ts";

interface VersionDialogProps {
  readonly shield: Server;
  readonly entry: HistoryEntry;
  /** Entries to compare with. */
  readonly others: readonly HistoryEntry[];
  readonly onChange: (change: Change) => void;
  readonly onClose: () => void;
}

/** The settings after one change, compared with those of now or of another time, and restored. */
export function VersionDialog({ shield, entry, others, onChange, onClose }: VersionDialogProps) {
  const { t, i18n } = useLingui();
  const { locale } = useLocale();
  const [other, choose] = useState("");
  const [leftOut, setLeftOut] = useState<readonly LeftOut[]>([]);
  const query = useQuery(comparisonQuery(shield.id, entry.id, other));
  const restore = useRestore(shield.id, onChange);
  const nameOf = (at: string) => fullTime(locale, new Date(at));
  const shortNameOf = (at: string) => absoluteTime(locale, new Date(at));
  const compared = others.find(({ id }) => id === other);
  const areas = query.data?.areas ?? [];
  const mayRestore = areas.some(
    ({ area }) => shield.role === "owner" || allows(shield.rights, area, "change"),
  );

  function send() {
    restore.mutate(entry.id, {
      onSuccess: ({ data }) => (data.left_out.length > 0 ? setLeftOut(data.left_out) : onClose()),
    });
  }

  return (
    <Dialog
      opened
      wide
      title={t`Settings of ${nameOf(entry.created_at)}`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            <Trans>Close</Trans>
          </Button>
          {other === "" ? (
            <ActionButton disabled={!mayRestore} loading={restore.isPending} onClick={send}>
              <Trans>Restore these settings</Trans>
            </ActionButton>
          ) : null}
        </>
      }
    >
      <div className={classes["version"]}>
        <p>
          <Trans>
            The settings as they were right after this change. Restoring changes the settings below
            and nothing else; plan and sub-users stay as they are.
          </Trans>
        </p>
        <NativeSelect
          label={t`Compare with`}
          value={other}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
          data={[
            { value: "", label: t`Now` },
            ...others.map(({ id, area, created_at: at }) => ({
              value: id,
              label: `${nameOf(at)} · ${i18n._(areaLabels[area])}`,
            })),
          ]}
        />
        <LeftOutList leftOut={leftOut} />
        {query.isPending ? (
          <LoadingRegion>
            <Skeleton height={120} radius={10} />
          </LoadingRegion>
        ) : null}
        {query.error ? (
          <ErrorState
            error={query.error}
            title={t`Error fetching the settings`}
            onRetry={() => void query.refetch()}
          />
        ) : null}
        {query.data && areas.length === 0 ? (
          <p className="dim">
            <Trans>The settings are the same.</Trans>
          </p>
        ) : null}
        {areas.length > 0 && !mayRestore ? (
          <p className="dim">
            <Trans>
              Your role lets you view these sections, but not change them: nothing can be restored.
            </Trans>
          </p>
        ) : null}
        {areas.map(({ area, changes }) => (
          <section key={area}>
            <h3 className={classes["areaTitle"]}>{i18n._(areaLabels[area])}</h3>
            <ChangeTable
              changes={changes}
              before={compared ? shortNameOf(compared.created_at) : t`Now`}
              after={compared ? shortNameOf(entry.created_at) : t`After restoring`}
            />
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** Settings that could not be restored, each with the reason. */
function LeftOutList({ leftOut }: { readonly leftOut: readonly LeftOut[] }) {
  const labelOf = useFieldLabel();
  if (leftOut.length === 0) return null;
  return (
    <Banner tone="attack" live="polite" icon={<IconAlertTriangle size={17} stroke={1.6} />}>
      <p>
        <Trans>These settings were not restored:</Trans>
      </p>
      <ul className={classes["leftOut"]}>
        {leftOut.map(({ field, item, reason }) => (
          <li key={`${field} ${item ?? ""}`}>
            <strong>
              {labelOf(field)}
              {item === null ? null : ` ${item}`}
            </strong>
            : {reason}
          </li>
        ))}
      </ul>
    </Banner>
  );
}
