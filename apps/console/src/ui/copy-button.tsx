import { ActionIcon, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { useLingui } from "@lingui/react/macro";
import { IconCheck, IconCopy } from "@tabler/icons-react";

/** Copies `value`; `label` says what is copied, for people who do not see the icon. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const { t } = useLingui();
  const { copied, copy } = useClipboard({ timeout: 1500 });
  return (
    <Tooltip label={copied ? t`Copied` : label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={26}
        aria-label={copied ? t`Copied` : label}
        onClick={() => copy(value)}
      >
        {copied ? <IconCheck size={15} stroke={1.6} /> : <IconCopy size={15} stroke={1.6} />}
      </ActionIcon>
    </Tooltip>
  );
}
