import { ActionIcon, Tooltip } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import { IconTrash } from "@tabler/icons-react";
import { useLayoutEffect, useRef } from "react";

interface RemoveButtonProps {
  readonly label: string;
  readonly loading: boolean;
  readonly size?: number;
  readonly onClick: () => void;
}

/**
 * Takes its row away, and hands the keyboard focus on: to the next row's button, or to where the
 * list begins. Until then it is busy rather than `disabled`, which would lose the focus.
 */
export function RemoveButton({ label, loading, size = 28, onClick }: RemoveButtonProps) {
  const { t } = useLingui();
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const button = ref.current;
    // Runs while the row is still in its place.
    return () => {
      if (button !== null && button === document.activeElement) heirOf(button)?.focus();
    };
  }, []);
  return (
    <Tooltip label={t`Delete`}>
      <ActionIcon
        ref={ref}
        variant="subtle"
        color="gray"
        size={size}
        aria-label={label}
        aria-disabled={loading}
        data-remove
        loading={loading}
        onClick={() => (loading ? undefined : onClick())}
        renderRoot={(root) => <button {...root} disabled={false} />}
      >
        <IconTrash size={size > 26 ? 16 : 15} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Where a list begins: its heading, or the button in it, or the field that adds to the list. */
const beginnings = "h2, h3, form input";

function heirOf(button: HTMLElement): HTMLElement | null {
  const row = button.closest("li, tr");
  for (const neighbour of [row?.nextElementSibling, row?.previousElementSibling]) {
    const heir = neighbour?.querySelector<HTMLElement>("[data-remove]");
    if (heir) return heir;
  }
  for (let place = row?.parentElement ?? null; place !== null; place = place.parentElement) {
    const beginning = place.querySelector<HTMLElement>(beginnings);
    if (beginning === null || row?.contains(beginning)) continue;
    const inside = beginning.querySelector("button");
    if (inside !== null) return inside;
    if (!beginning.matches("input")) beginning.tabIndex = -1;
    return beginning;
  }
  return null;
}
