import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { AntibotLevel, TryChallenge } from "@palisade/contract/edge/plain-values";
import type { TryAddress } from "@palisade/contract/http/mitigation";
import { useQuery } from "@tanstack/react-query";
import { IconRefresh, IconTargetArrow } from "@tabler/icons-react";
import { useState } from "react";
import { ActionButton } from "#src/ui/action-button.tsx";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import { RelativeTime } from "#src/ui/time.tsx";
import { useMayChange } from "../../may-change.ts";
import type { Change } from "../../receipt.tsx";
import { tryAddressQuery } from "../mitigation.queries.ts";
import { CheckChoice } from "./check-choice.tsx";
import { Expectations } from "./expectations.tsx";
import classes from "./trial.module.css";
import { useTrial } from "./use-trial.ts";

/** How often the page looks whether the address is over, or another member has changed it. */
const pollMs = 60_000;

interface TrialPanelProps {
  readonly shieldId: string;
  /** As it is saved. */
  readonly level: AntibotLevel;
  readonly onChange: (change: Change) => void;
}

/** An address of the shield at which every player is checked, to see what players see. */
export function TrialPanel({ shieldId, level, onChange }: TrialPanelProps) {
  const { t } = useLingui();
  const query = useQuery({ ...tryAddressQuery(shieldId), refetchInterval: pollMs });
  const changes = useTrial(shieldId, onChange);
  return (
    <Panel
      prominent
      title={<Trans>Try it yourself</Trans>}
      note={
        <Trans>
          An address of your shield at which every player is checked, even you and the whitelist. It
          works for 24 hours, leads to your server, and counts in no statistics.
        </Trans>
      }
    >
      <QueryBoundary query={query} errorTitle={t`Try address could not be loaded`} compact>
        {(address) => (
          <Trial
            // The form begins with what the address asks for.
            key={address?.host ?? "none"}
            address={address}
            level={level}
            changes={changes}
          />
        )}
      </QueryBoundary>
    </Panel>
  );
}

interface TrialProps {
  readonly address: TryAddress | null;
  readonly level: AntibotLevel;
  readonly changes: ReturnType<typeof useTrial>;
}

function Trial({ address, level, changes }: TrialProps) {
  const { t } = useLingui();
  const mayChange = useMayChange();
  const [challenge, choose] = useState<TryChallenge>(address?.challenge ?? "level");
  const { start, end } = changes;
  if (address === null && !mayChange) {
    return (
      <EmptyState
        compact
        icon={<IconTargetArrow size={22} stroke={1.6} />}
        title={t`There is no try address`}
        text={<Trans>Members with the right to change the mitigation can create one.</Trans>}
      />
    );
  }
  return (
    <div className={classes["trial"]}>
      {address === null ? null : <Address address={address} />}
      {mayChange ? (
        <>
          <CheckChoice
            value={challenge}
            level={level}
            disabled={start.isPending || end.isPending}
            onChoose={choose}
          />
          <div className={classes["buttons"]}>
            <ActionButton
              // A variant that is named gets the text colour of the light theme.
              {...(address === null ? {} : { variant: "default" })}
              leftSection={
                address === null ? (
                  <IconTargetArrow size={16} stroke={1.6} />
                ) : (
                  <IconRefresh size={15} stroke={1.6} />
                )
              }
              loading={start.isPending}
              disabled={end.isPending}
              onClick={() => start.mutate(challenge)}
            >
              {address === null ? (
                <Trans>Create address</Trans>
              ) : challenge === address.challenge ? (
                <Trans>Renew for 24 hours</Trans>
              ) : (
                <Trans>Ask for this check</Trans>
              )}
            </ActionButton>
            {address === null ? null : (
              <Button
                variant="subtle"
                color="gray"
                loading={end.isPending}
                disabled={start.isPending}
                onClick={() => end.mutate()}
              >
                <Trans>Remove address</Trans>
              </Button>
            )}
          </div>
        </>
      ) : null}
      {address === null ? null : <Expectations challenge={address.challenge} level={level} />}
    </div>
  );
}

function Address({ address }: { address: TryAddress }) {
  const { t } = useLingui();
  return (
    <div className={classes["address"]}>
      <p className={`${classes["host"]} mono`}>
        {address.host}
        <CopyButton value={address.host} label={t`Copy the try address`} />
      </p>
      <p className="dim">
        <Trans>
          Ends <RelativeTime at={address.expires_at} />. Join by it as by any server.
        </Trans>
      </p>
    </div>
  );
}
