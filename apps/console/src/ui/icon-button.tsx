import { ActionIcon, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import { useFocusAfterRemoval } from "./focus-after-removal.ts";

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
  /** Its row goes with the press, and the focus moves on. */
  readonly removes?: boolean;
  readonly onClick: () => void;
}

/** A small button of a row, with an icon in place of words. */
export function IconButton(props: IconButtonProps) {
  const { hint, label, icon, size = 28, onClick } = props;
  const { loading = false, inactive = false, removes = false } = props;
  const ref = useFocusAfterRemoval(removes);
  return (
    <Tooltip label={hint}>
      <ActionIcon
        ref={ref}
        variant="subtle"
        color="gray"
        size={size}
        aria-label={label}
        aria-disabled={inactive || loading}
        data-disabled={inactive}
        {...(removes && { "data-remove": true })}
        loading={loading}
        onClick={() => (inactive || loading ? undefined : onClick())}
        renderRoot={(root) => <button {...root} disabled={false} />}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
