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
 * Removes its row and moves the keyboard focus to the next row's button or to the start of the list.
 * Until then it is busy rather than `disabled`, which would lose the focus.
 */
export function RemoveButton({ label, loading, size = 28, onClick }: RemoveButtonProps) {
  const { t } = useLingui();
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const button = ref.current;
    // Runs before the row is removed from the page.
    return () => {
      if (button !== null && button === document.activeElement) nextFocusOf(button)?.focus();
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

/** The start of a list: its heading, a button in it, or the field that adds an entry. */
const beginnings = "h2, h3, form input";

function nextFocusOf(button: HTMLElement): HTMLElement | null {
  const row = button.closest("li, tr");
  for (const neighbour of [row?.nextElementSibling, row?.previousElementSibling]) {
    const next = neighbour?.querySelector<HTMLElement>("[data-remove]");
    if (next) return next;
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
