import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { ShieldDomain, ShieldDomains } from "@palisade/contract/http/domains";
import { IconListDetails } from "@tabler/icons-react";
import { day } from "#src/lib/format.ts";
import { useNow } from "#src/lib/use-now.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { unicodeDomain } from "#src/lib/unicode-domain.ts";
import { IconButton } from "#src/ui/icon-button.tsx";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { RemoveButton } from "#src/ui/remove-button.tsx";
import { Status } from "#src/ui/status.tsx";
import { Day } from "#src/ui/time.tsx";
import { useMayChange } from "../may-change.ts";
import classes from "./domains.module.css";
import { GroupSelect } from "./group-select.tsx";
import type { DomainChanges } from "./use-domains.ts";

interface DomainItemProps {
  readonly domain: ShieldDomain;
  readonly groups: ShieldDomains["groups"];
  readonly changes: DomainChanges;
  readonly onRecords: () => void;
}

export function DomainItem({ domain, groups, changes, onRecords }: DomainItemProps) {
  const { t } = useLingui();
  const mayChange = useMayChange();
  const name = unicodeDomain(domain.domain);
  const isFinished = domain.status === "setup_finished";
  const isRemoving = changes.remove.isPending && changes.remove.variables.id === domain.id;
  return (
    <li className={classes["item"]}>
      <div className={classes["name"]}>
        <span className={classes["host"]}>
          <span className="mono">{name}</span>
          <CopyButton value={name} label={t`Copy ${name}`} />
        </span>
        {name === domain.domain ? null : <span className={classes["ascii"]}>{domain.domain}</span>}
        <span className={classes["added"]}>
          <span>
            <Trans>
              Added <Day at={domain.created_at} />
            </Trans>
          </span>
          <Ending domain={domain} />
        </span>
      </div>
      <div className={classes["state"]}>
        {isFinished ? (
          <Status tone="protected">
            <Trans>Setup finished</Trans>
          </Status>
        ) : (
          <>
            <Status tone="idle">
              <Trans>Setup not finished</Trans>
            </Status>
            <Button
              variant="default"
              size="compact-sm"
              aria-label={t`How to setup ${name}`}
              onClick={onRecords}
            >
              <Trans>How to setup</Trans>
            </Button>
          </>
        )}
      </div>
      {groups.length > 1 ? (
        <GroupSelect domain={domain} groups={groups} lead={changes.lead} />
      ) : null}
      <div className={classes["actions"]}>
        {isFinished ? (
          <IconButton
            hint={t`DNS records`}
            icon={<IconListDetails size={16} stroke={1.6} />}
            label={t`DNS records of ${name}`}
            onClick={onRecords}
          />
        ) : null}
        {mayChange ? (
          <RemoveButton
            label={t`Delete ${name}`}
            loading={isRemoving}
            onClick={() => changes.remove.mutate(domain)}
          />
        ) : null}
      </div>
    </li>
  );
}

/** The deadline of an unproven domain, or that it has passed. */
function Ending({ domain }: { domain: ShieldDomain }) {
  const { locale } = useLocale();
  const now = useNow();
  if (domain.ends_at === null) return null;
  const end = new Date(domain.ends_at);
  if (end <= now) {
    return (
      <span className={classes["ended"]}>
        <Trans>No record was found within 7 days. This domain is no longer routed.</Trans>
      </span>
    );
  }
  const until = day(locale, end);
  return (
    <span>
      <Trans>waiting for its record until {until}</Trans>
    </span>
  );
}
