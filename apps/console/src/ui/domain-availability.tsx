import { Trans } from "@lingui/react/macro";
import { IconCircleCheck, IconWorld } from "@tabler/icons-react";
import classes from "./domain-availability.module.css";

interface DomainAvailabilityProps {
  /** Null while the entry is not a valid domain. */
  readonly name: string | null;
  readonly free: string | undefined;
  readonly isChecking: boolean;
  /** The field shows the reason, so this stays empty. */
  readonly isRefused: boolean;
}

/** Shown below a domain field: whether the domain can be used. */
export function DomainAvailability({ name, free, isChecking, isRefused }: DomainAvailabilityProps) {
  const isShown = name !== null && !isRefused;
  return (
    <p
      className={classes["availability"]}
      role="status"
      data-refused={isRefused || undefined}
      data-free={(!isChecking && free !== undefined) || undefined}
    >
      {isShown && isChecking ? (
        <>
          <IconWorld size={16} stroke={1.6} aria-hidden="true" />
          <Trans>Checking whether the domain is free…</Trans>
        </>
      ) : null}
      {isShown && !isChecking && free !== undefined ? (
        <>
          <IconCircleCheck size={16} stroke={1.6} aria-hidden="true" />
          <span>
            <Trans>
              <span className="mono">{free}</span> can be used
            </Trans>
          </span>
        </>
      ) : null}
    </p>
  );
}
