import { ActionIcon, Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Propagation } from "@palisade/contract/http/servers";
import { useQuery } from "@tanstack/react-query";
import { IconAlertTriangle, IconCircleCheck, IconLoader2, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { seconds } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Banner } from "#src/ui/banner.tsx";
import { firstRejection, pollDelayMs, receiptState, type ReceiptState } from "./receipt-state.ts";
import classes from "./shield.module.css";
import { propagationQuery } from "./shield.queries.ts";

/** A committed change that the edges have to apply. */
export interface Change {
  readonly label: string;
  readonly revision: number;
  readonly undo?: () => void;
}

interface ReceiptProps {
  readonly shieldId: string;
  readonly change: Change;
  readonly onDismiss: () => void;
}

export function Receipt({ shieldId, change, onDismiss }: ReceiptProps) {
  const { t } = useLingui();
  const { data } = useQuery({
    ...propagationQuery(shieldId, change.revision),
    refetchInterval: ({ state }) => pollDelayMs(state.data, state.dataUpdateCount),
  });
  const state = receiptState(data);
  const { tone, icon } = stateStyles[state];

  return (
    <Banner
      tone={tone}
      icon={icon}
      live={state === "rejected" ? "assertive" : "polite"}
      aside={
        <>
          {change.undo ? (
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => {
                onDismiss();
                change.undo?.();
              }}
            >
              <Trans>Undo</Trans>
            </Button>
          ) : null}
          <ActionIcon
            variant="subtle"
            color="gray"
            size={26}
            aria-label={t`Dismiss`}
            onClick={onDismiss}
          >
            <IconX size={15} stroke={1.6} />
          </ActionIcon>
        </>
      }
    >
      <ReceiptText change={change} data={data} />
    </Banner>
  );
}

function ReceiptText({ change, data }: { change: Change; data: Propagation | undefined }) {
  const { locale } = useLocale();
  const label = change.label;
  const edges = `${data?.edges_applied ?? 0}/${data?.edges_total ?? 0}`;
  const reason = firstRejection(data) ?? "";
  const time = seconds(locale, data?.applied_in_ms ?? 0);
  const texts: Record<ReceiptState, ReactNode> = {
    pending:
      data === undefined ? (
        <Trans>{label}: saved, waiting for the edges</Trans>
      ) : (
        <Trans>
          {label}: applied on <strong>{edges} edges</strong>, waiting for the others
        </Trans>
      ),
    applied: (
      <Trans>
        {label}: applied on <strong>{edges} edges</strong> in <strong>{time} s</strong>
      </Trans>
    ),
    rejected: (
      <Trans>
        {label}: an edge refused the change and keeps the previous settings. {reason}
      </Trans>
    ),
    no_edges: <Trans>{label}: saved. No edge serves this shield at the moment.</Trans>,
  };
  return texts[receiptState(data)];
}

const stateStyles = {
  pending: {
    tone: "neutral",
    icon: <IconLoader2 className={classes["spin"]} size={17} stroke={1.6} />,
  },
  applied: { tone: "protected", icon: <IconCircleCheck size={17} stroke={1.6} /> },
  rejected: { tone: "danger", icon: <IconAlertTriangle size={17} stroke={1.6} /> },
  no_edges: { tone: "attack", icon: <IconAlertTriangle size={17} stroke={1.6} /> },
} as const satisfies Record<string, { tone: string; icon: ReactNode }>;
