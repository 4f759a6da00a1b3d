import { ActionIcon, Tooltip } from "@mantine/core";
import { useLingui } from "@lingui/react/macro";
import { IconTrash } from "@tabler/icons-react";
import { useFocusAfterRemoval } from "./focus-after-removal.ts";

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
  const ref = useFocusAfterRemoval();
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
