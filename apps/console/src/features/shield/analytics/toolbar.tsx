import { Switch } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { analyticsRanges, type Analytics } from "@palisade/contract/http/analytics";
import { IconDownload, IconZoomReset } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { errorText } from "#src/api/errors.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { toast } from "#src/ui/toasts.tsx";
import type { ShieldSearch } from "../shield-search.ts";
import { saveAnalytics } from "./analytics.queries.ts";
import classes from "./analytics.module.css";
import { Choice } from "./choice.tsx";
import { PeriodForm } from "./period-form.tsx";
import { fieldTime, type Period } from "./period.ts";
import { periodText, stepLength } from "./format.ts";

interface ToolbarProps {
  readonly shieldId: string;
  readonly search: ShieldSearch;
  readonly period: Period;
  /** Undefined while the first answer is awaited. */
  readonly data: Analytics | undefined;
  readonly onShow: (change: Partial<ShieldSearch>) => void;
}

const noZoom = { from: undefined, to: undefined, back: undefined };

/** Chooses the period and what it is compared with, and exports it. */
export function Toolbar({ shieldId, search, period, data, onShow }: ToolbarProps) {
  const { t } = useLingui();
  const { back } = search;
  const isZoomed = period.range === "custom" && back !== undefined && back !== "custom";
  const save = useMutation({
    mutationFn: () => saveAnalytics(shieldId, period),
    onError: (error) => toast("error", errorText(error, t`Failed to download file`)),
  });
  const labels = {
    "1h": t`1 h`,
    "24h": t`24 h`,
    "7d": t`7 d`,
    "30d": t`30 d`,
    custom: t({ message: "Custom", context: "period" }),
  };

  function choose(range: (typeof analyticsRanges)[number]) {
    if (range !== "custom") {
      onShow({ ...noZoom, range });
      return;
    }
    if (data === undefined || period.range === "custom") return;
    // Starts with the period that is shown.
    onShow({ range, from: data.from, to: atMostNow(data.to), back: undefined });
  }

  return (
    <div className={classes["toolbar"]}>
      <div className={classes["controls"]}>
        <Choice
          label={t`Period`}
          choices={analyticsRanges.map((value) => ({ value, label: labels[value] }))}
          value={period.range}
          onChoose={choose}
        />
        {isZoomed ? (
          <ActionButton
            variant="default"
            leftSection={<IconZoomReset size={16} stroke={1.6} />}
            onClick={() => onShow({ ...noZoom, range: back })}
          >
            <Trans>Zoom out</Trans>
          </ActionButton>
        ) : null}
        <Switch
          label={t`Compare with the period before`}
          checked={search.compare === true}
          onChange={({ currentTarget }) =>
            onShow({ compare: currentTarget.checked ? true : undefined })
          }
        />
        <ActionButton
          className={classes["export"]}
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.6} />}
          loading={save.isPending}
          onClick={() => save.mutate()}
        >
          <Trans>Export CSV</Trans>
        </ActionButton>
      </div>
      {period.range === "custom" ? (
        <PeriodForm
          key={`${period.from} ${period.to}`}
          from={fieldTime(Date.parse(period.from))}
          to={fieldTime(Date.parse(period.to))}
          onChoose={(from, to) => onShow({ range: "custom", from, to: atMostNow(to), back })}
        />
      ) : null}
      <PeriodLine isLive={period.range === "1h"} data={data} />
    </div>
  );
}

/** The period in words, with the length of a point. */
function PeriodLine({ isLive, data }: { isLive: boolean; data: Analytics | undefined }) {
  const { locale } = useLocale();
  if (data === undefined) return <p className={classes["period"]}>&nbsp;</p>;
  const length = stepLength(locale, data.step_seconds);
  return (
    <p className={classes["period"]}>
      {isLive ? (
        <span className={classes["live"]}>
          <Trans>Live</Trans>
        </span>
      ) : null}
      <span>{periodText(locale, data.from, data.to)}</span>
      <span>
        <Trans>one point: {length}</Trans>
      </span>
      <span className={classes["hint"]}>
        <Trans>Drag across a chart to zoom in.</Trans>
      </span>
    </p>
  );
}

function atMostNow(time: string): string {
  return new Date(Math.min(Date.now(), Date.parse(time))).toISOString();
}
