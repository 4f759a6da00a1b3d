import { ActionIcon } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { IconGitMerge, IconX } from "@tabler/icons-react";
import { Banner } from "#src/ui/banner.tsx";
import classes from "./customization.module.css";
import { isMessageName, useMessageFields } from "./message-fields.ts";
import type { Texts } from "./message-diff.ts";

/** Somebody saved first: what they wrote, while what was typed here is still in the fields. */
export function MessagesConflict({ theirs, onClose }: { theirs: Texts; onClose: () => void }) {
  const { t } = useLingui();
  const fields = useMessageFields();
  return (
    <div className={classes["conflict"]}>
      <Banner
        tone="attack"
        live="assertive"
        icon={<IconGitMerge size={17} stroke={1.6} />}
        aside={
          <ActionIcon
            variant="subtle"
            color="gray"
            size={26}
            aria-label={t`Dismiss`}
            onClick={onClose}
          >
            <IconX size={15} stroke={1.6} />
          </ActionIcon>
        }
      >
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
        <p>
          <Trans>Save again to replace the fields you changed.</Trans>
        </p>
      </Banner>
    </div>
  );
}

function Theirs({ name, text }: { name: string; text: string }) {
  if (name === "offline_image")
    return text === "" ? <Trans>removed</Trans> : <Trans>changed</Trans>;
  return text === "" ? <Trans>default text</Trans> : <q>{text}</q>;
}
