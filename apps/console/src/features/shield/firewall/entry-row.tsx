import { Trans, useLingui } from "@lingui/react/macro";
import type { FirewallEntry } from "@palisade/contract/http/firewall";
import { IconPencil, IconUser } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useNow } from "#src/lib/use-now.ts";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { IconButton } from "#src/ui/icon-button.tsx";
import { RemoveButton } from "#src/ui/remove-button.tsx";
import { Status } from "#src/ui/status.tsx";
import { RelativeTime } from "#src/ui/time.tsx";
import { useMayChange } from "../may-change.ts";
import { hasEnded } from "./entry-end.ts";
import classes from "./firewall.module.css";

interface EntryRowProps {
  readonly entry: FirewallEntry;
  /** It is being removed. */
  readonly busy: boolean;
  readonly onRemove: () => void;
  readonly onEdit: () => void;
  /** Its editor was closed: the keyboard goes on at its button, unless it has moved on. */
  readonly takesFocus: boolean;
  readonly onFocus: () => void;
}

export function EntryRow({ entry, busy, onRemove, onEdit, ...focus }: EntryRowProps) {
  const { t } = useLingui();
  const mayChange = useMayChange();
  const { ip, note } = entry;
  const edit = useRef<HTMLSpanElement>(null);
  const { takesFocus, onFocus } = focus;
  useEffect(() => {
    if (!takesFocus) return;
    if (document.activeElement === document.body) edit.current?.querySelector("button")?.focus();
    onFocus();
  }, [takesFocus, onFocus]);
  return (
    <tr>
      <td className="mono" data-part="entry">
        <EntryName entry={entry} />
      </td>
      <td data-part="note" className={classes["note"]}>
        {note}
      </td>
      <td data-part="end" data-label={t`Expires:`} className={classes["end"]}>
        <End entry={entry} />
      </td>
      <td data-part="created" data-label={t`Added:`} className="dim">
        <RelativeTime at={entry.created_at} />
      </td>
      <td data-right data-part="actions">
        <CopyButton value={ip} label={t`Copy ${ip}`} />
        {mayChange ? (
          <>
            <span ref={edit}>
              <IconButton
                size={26}
                hint={t`Edit`}
                label={t`Edit ${ip}`}
                icon={<IconPencil size={15} stroke={1.6} />}
                onClick={onEdit}
              />
            </span>
            <RemoveButton size={26} label={t`Delete ${ip}`} loading={busy} onClick={onRemove} />
          </>
        ) : null}
      </td>
    </tr>
  );
}

export function EntryName({ entry: { kind, ip } }: { readonly entry: FirewallEntry }) {
  const { t } = useLingui();
  if (kind !== "name") return ip;
  return (
    <span className={classes["player"]}>
      <IconUser size={15} stroke={1.6} aria-label={t`Player`} role="img" />
      {ip}
    </span>
  );
}

function End({ entry }: { readonly entry: FirewallEntry }) {
  const now = useNow();
  const { expires_at: end } = entry;
  if (end === null) {
    return (
      <span className="dim">
        <Trans>Never</Trans>
      </span>
    );
  }
  if (!hasEnded(entry, now)) return <RelativeTime at={end} />;
  return (
    <span className={classes["ended"]}>
      <Status tone="idle">
        <Trans>Ended</Trans>
      </Status>{" "}
      <span className="dim">
        <RelativeTime at={end} />
      </span>
    </span>
  );
}
