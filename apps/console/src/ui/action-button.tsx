import { Button, type ButtonProps } from "@mantine/core";
import type { ButtonHTMLAttributes, Ref } from "react";

type ActionButtonProps = ButtonProps &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, keyof ButtonProps> & {
    readonly ref?: Ref<HTMLButtonElement>;
  };

/**
 * A button that cannot be pressed while it is busy but keeps the keyboard focus. A `disabled` button
 * would lose it, and keyboard users would start again at the top of the page.
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
        // Enter in a field of its form also ends up here.
        if (isInert) event.preventDefault();
        else onClick?.(event);
      }}
      renderRoot={(root) => <button {...root} disabled={false} />}
    />
  );
}
