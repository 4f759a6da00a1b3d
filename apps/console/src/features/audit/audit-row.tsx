import { Trans, useLingui } from "@lingui/react/macro";
import type { AuditEntry } from "@palisade/contract/http/audit";
import { IconChevronRight } from "@tabler/icons-react";
import { fullTime } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { RelativeTime } from "#src/ui/time.tsx";
import list from "#src/ui/expandable-list.module.css";
import classes from "./audit.module.css";

/** One call with its outcome; expanded, also its user, address and duration. */
export function AuditRow({ entry }: { entry: AuditEntry }) {
  const { method, endpoint, response_status: status } = entry;
  return (
    <details className={list["entry"]}>
      <summary>
        <IconChevronRight size={16} stroke={1.6} aria-hidden="true" />
        <span className={classes["method"]}>{method}</span>
        <span className={classes["endpoint"]}>{endpoint}</span>
        <span className={classes["status"]} data-outcome={outcomeOf(status)}>
          {status}
        </span>
        <span className={`${list["when"]} ${classes["when"]}`}>
          <RelativeTime at={entry.created_at} />
        </span>
      </summary>
      <Details entry={entry} />
    </details>
  );
}

function Details({ entry }: { entry: AuditEntry }) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const { ip, duration_ms: duration, full_url: url } = entry;
  return (
    <dl className={classes["facts"]}>
      <dt>
        <Trans>User</Trans>
      </dt>
      <dd>{entry.actor}</dd>
      <dt>
        <Trans>Endpoint</Trans>
      </dt>
      <dd className="mono">
        {url}
        <CopyButton value={url} label={t`Copy endpoint`} />
      </dd>
      <dt>
        <Trans>Duration</Trans>
      </dt>
      <dd>{duration === null ? "–" : <Trans>{duration} ms</Trans>}</dd>
      <dt>
        <Trans>Date and time</Trans>
      </dt>
      <dd>
        <time dateTime={entry.created_at}>{fullTime(locale, new Date(entry.created_at))}</time>
      </dd>
      <dt>
        <Trans>IP address</Trans>
      </dt>
      <dd className="mono">
        {ip}
        <CopyButton value={ip} label={t`Copy ${ip}`} />
      </dd>
    </dl>
  );
}

function outcomeOf(status: number): "done" | "refused" | "failed" {
  if (status < 400) return "done";
  return status < 500 ? "refused" : "failed";
}
