import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { LogEntry } from "@palisade/contract/http/logs";
import type { Server } from "@palisade/contract/http/servers";
import { IconDownload, IconEraser, IconEyeOff } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { errorText } from "#src/api/errors.ts";
import { paths } from "#src/lib/paths.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Banner } from "#src/ui/banner.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { toast } from "#src/ui/toasts.tsx";
import { BlockDialog } from "../block/block-dialog.tsx";
import { useBlock } from "../block/use-block.ts";
import type { Change } from "../receipt.tsx";
import { mayChangeIn, seesAddressesOf } from "../shield-rights.ts";
import { EraseDialog } from "./erase-dialog.tsx";
import { IntervalSelect } from "./interval-select.tsx";
import { LiveLog } from "./live-log.tsx";
import { LogDetails } from "./log-details.tsx";
import { LogsFilters, ChosenFilters } from "./logs-filters.tsx";
import classes from "./logs.module.css";
import { saveLog } from "./logs.queries.ts";
import { filterNames, noFilters, type LogSearch } from "./logs-search.ts";
import { PastLog } from "./past-log.tsx";

interface LogsSectionProps {
  readonly shield: Server;
  readonly onChange: (change: Change) => void;
}

/** Every login of a shield: searched in the past, or followed live. */
export function LogsSection({ shield, onChange }: LogsSectionProps) {
  const { t } = useLingui();
  const { id } = shield;
  const navigate = useNavigate();
  const whole = useSearch({ from: paths.shield });
  const search: LogSearch = Object.fromEntries(
    [...filterNames, "live" as const].map((name) => [name, whole[name]]),
  );
  const isLive = search.live !== undefined;
  const [countries, setCountries] = useState<readonly string[]>([]);
  const [erasing, setErasing] = useState<string | null>(null);
  const block = useBlock(id, onChange);
  const seesAddresses = seesAddressesOf(shield);

  const show = (change: LogSearch) =>
    void navigate({
      to: paths.shield,
      params: { shieldId: id, section: "logs" },
      search: { ...search, ...change },
    });
  const save = useMutation({
    mutationFn: () => saveLog(id, search),
    onError: (error) => toast("error", errorText(error, t`Failed to download file`)),
  });
  const details = (entry: LogEntry) => (
    <LogDetails
      entry={entry}
      seesAddresses={seesAddresses}
      onFilter={(filter) => show({ ...filter, live: undefined })}
      onList={mayChangeIn(shield, "firewall") ? block.list : undefined}
      onErase={shield.role === "owner" ? setErasing : undefined}
    />
  );

  return (
    <Panel
      prominent
      title={
        <>
          <Trans>Logs</Trans> <span className={classes["beta"]}>beta</span>
        </>
      }
      note={<Trans>Every login and every kick. Under an attack, a sample of them.</Trans>}
      aside={
        <div className={classes["aside"]}>
          {isLive ? null : <IntervalSelect shieldId={id} />}
          <Button
            size="compact-md"
            variant={isLive ? "filled" : "default"}
            aria-pressed={isLive}
            leftSection={<span className={classes["pulse"]} data-live={isLive || undefined} />}
            onClick={() => show({ live: isLive ? undefined : "on" })}
          >
            <Trans>Live</Trans>
          </Button>
          <ActionButton
            size="compact-md"
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.6} />}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            <Trans>Export CSV</Trans>
          </ActionButton>
          {shield.role === "owner" ? (
            <Button
              size="compact-md"
              variant="default"
              leftSection={<IconEraser size={16} stroke={1.6} />}
              onClick={() => setErasing("")}
            >
              <Trans>Erase a player</Trans>
            </Button>
          ) : null}
        </div>
      }
    >
      <LogsFilters search={search} countries={countries} isLive={isLive} onShow={show} />
      <ChosenFilters search={search} onShow={show} />
      {seesAddresses ? null : (
        <div className={classes["masked"]}>
          <Banner tone="neutral" icon={<IconEyeOff size={17} stroke={1.6} />}>
            <Trans>
              Your role hides a part of the addresses. The owner of the shield can give you the
              right to see them.
            </Trans>
          </Banner>
        </div>
      )}
      {isLive ? (
        <LiveLog key={JSON.stringify(search)} shieldId={id} search={search} details={details} />
      ) : (
        <PastLog
          shieldId={id}
          search={search}
          details={details}
          onCountries={setCountries}
          onClear={() => show(noFilters)}
        />
      )}
      <EraseDialog shieldId={id} player={erasing} onClose={() => setErasing(null)} />
      <BlockDialog block={block} />
    </Panel>
  );
}
