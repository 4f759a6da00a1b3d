import { Trans } from "@lingui/react/macro";
import { IconEye, IconPencil } from "@tabler/icons-react";
import classes from "./ticket.module.css";

interface PresenceLineProps {
  readonly people: readonly {
    readonly id: string;
    readonly name: string;
    readonly is_typing: boolean;
  }[];
}

/** Warns before two people answer the same ticket. */
export function PresenceLine({ people }: PresenceLineProps) {
  return (
    <div role="status" className={classes["presence"]}>
      {people.map(({ id, name, is_typing: isTyping }) => (
        <span key={id} data-typing={isTyping || undefined}>
          {isTyping ? (
            <IconPencil size={14} stroke={1.6} aria-hidden="true" />
          ) : (
            <IconEye size={14} stroke={1.6} aria-hidden="true" />
          )}
          {isTyping ? <Trans>{name} is writing</Trans> : <Trans>{name} is reading</Trans>}
        </span>
      ))}
    </div>
  );
}
