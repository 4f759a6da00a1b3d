import { ActionIcon, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";

interface IconButtonProps {
  /** Shown at the pointer; short. */
  readonly hint: string;
  /** Names what the button acts on, too: there is one in every row. */
  readonly label: string;
  /** 16 pixels wide. */
  readonly icon: ReactNode;
  readonly size?: number;
  readonly loading?: boolean;
  /** Keeps the keyboard's focus, and does nothing. */
  readonly inactive?: boolean;
  readonly onClick: () => void;
}

/** A small button of a row, with an icon in place of words. */
export function IconButton(props: IconButtonProps) {
  const { hint, label, icon, size = 28, loading = false, inactive = false, onClick } = props;
  return (
    <Tooltip label={hint}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={size}
        aria-label={label}
        aria-disabled={inactive}
        data-disabled={inactive}
        loading={loading}
        onClick={() => (inactive ? undefined : onClick())}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
