import { Button, type ButtonProps } from "@mantine/core";
import type { ButtonHTMLAttributes } from "react";

type ActionButtonProps = ButtonProps &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, keyof ButtonProps>;

/**
 * Cannot be pressed while it is busy, and keeps the keyboard focus: from a `disabled` button the
 * browser takes it away, and whoever pressed a key begins at the top of the page.
 */
export function ActionButton(props: ActionButtonProps) {
  const { disabled = false, loading = false, onClick, ...rest } = props;
  const isInert = disabled || loading;
  return (
    <Button
      aria-disabled={isInert}
      data-disabled={disabled}
      {...rest}
      loading={loading}
      onClick={(event) => {
        // Enter in a field of its form ends up here as well.
        if (isInert) event.preventDefault();
        else onClick?.(event);
      }}
      renderRoot={(root) => <button {...root} disabled={false} />}
    />
  );
}
