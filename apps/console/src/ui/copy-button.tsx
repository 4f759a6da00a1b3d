import { ActionIcon, Tooltip } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { copyText } from "./copy-text.ts";

const copiedMs = 1500;

/** Copies `value`; `label` names it for people who do not see the icon. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const { t } = useLingui();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <Tooltip label={copied ? t`Copied` : label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={26}
        style={{ verticalAlign: "middle" }}
        aria-label={copied ? t`Copied` : label}
        onClick={() => void copyText(value).then(setCopied)}
      >
        {copied ? <IconCheck size={15} stroke={1.6} /> : <IconCopy size={15} stroke={1.6} />}
      </ActionIcon>
    </Tooltip>
  );
}
