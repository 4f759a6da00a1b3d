import { Button } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { IconGitMerge } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { ActionButton } from "#src/ui/action-button.tsx";
import { Banner } from "#src/ui/banner.tsx";
import classes from "./customization.module.css";
import { isMessageName, useMessageFields } from "./message-fields.ts";
import type { Texts } from "./message-diff.ts";

interface MessagesConflictProps {
  readonly theirs: Texts;
  readonly isSaving: boolean;
  readonly onKeepMine: () => void;
  readonly onKeepTheirs: () => void;
}

/**
 * Somebody saved first: what they wrote, while what was typed here is still in the fields. It
 * stands where Save was pressed and takes the focus: it has to be read before anything is replaced.
 */
export function MessagesConflict(props: MessagesConflictProps) {
  const { theirs, isSaving, onKeepMine, onKeepTheirs } = props;
  const { t } = useLingui();
  const fields = useMessageFields();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <div ref={place} tabIndex={-1} className={classes["conflict"]}>
      <Banner tone="attack" live="assertive" icon={<IconGitMerge size={17} stroke={1.6} />}>
        <p>
          <strong>
            <Trans>Somebody else changed this in the meantime.</Trans>
          </strong>{" "}
          <Trans>Nothing was saved; your text is still in the form. They saved:</Trans>
        </p>
        <ul>
          {Object.entries(theirs).map(([name, text]) => (
            <li key={name}>
              {isMessageName(fields, name) ? fields[name].label : t`Offline image`}:{" "}
              <Theirs name={name} text={text} />
            </li>
          ))}
        </ul>
        <div className={classes["decide"]}>
          <ActionButton size="compact-sm" loading={isSaving} onClick={onKeepMine}>
            <Trans>Keep mine</Trans>
          </ActionButton>
          <Button size="compact-sm" variant="default" onClick={onKeepTheirs}>
            <Trans>Keep theirs</Trans>
          </Button>
        </div>
      </Banner>
    </div>
  );
}

function Theirs({ name, text }: { name: string; text: string }) {
  if (name === "offline_image")
    return text === "" ? <Trans>removed</Trans> : <Trans>changed</Trans>;
  return text === "" ? <Trans>default text</Trans> : <q>{text}</q>;
}
